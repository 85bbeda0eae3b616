// Media, redirects and modules: files are uploaded and shared, paths are redirected, and an owner chooses what the shop uses.
import { describeWithBrowser } from "../support/browser.ts";
import { PHONE, useDashboard } from "./support/dashboard.ts";
import { dialog, exactly, gone, heading, inDialog, linkTo, rowWith } from "./support/places.ts";
import { PNG } from "./support/shop.ts";
import * as user from "./support/user.ts";

const MEBIBYTE = 1024 * 1024;

describeWithBrowser("media, redirects and modules in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const file = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });

  test("files are uploaded, shown, shared, deleted and cancelled", async () => {
    const { page } = await dashboard.open({ at: "/media" }, heading("No files yet"));
    const hostile = "Sea <b> & \u202eموج.png";
    let uploads = 0;
    await page.route("**/v1/media", async (route) => {
      if (route.request().method() === "POST") uploads += 1;
      // The fourth file. The third, large.bin, is never sent, but is counted.
      if (uploads === 4) return await route.abort();
      if (uploads !== 2) return await route.continue();
      uploads += 1;
      const error = { code: "unsupported_media_type", message: "a refusal of the platform" };
      await route.fulfill({ status: 415, json: { success: false, error } });
    });
    await page
      .locator("input[type=file]")
      .setInputFiles([
        file(hostile, PNG),
        file("refused.x", Buffer.from("?")),
        file("large.bin", Buffer.alloc(26 * MEBIBYTE)),
        file("terms.pdf", Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF")),
      ]);
    const again = page.getByRole("button", { name: "Try again" });
    await user.see(page, again.filter({ hasText: "terms.pdf" }), "Interrupted", "The connection was lost.");
    // Only the interrupted upload can be tried again. A refused one would be refused again.
    expect(await again.count()).toBe(1);
    await user.click(again, gone(again));
    await user.see(page, "4 of 4 finished", "It is larger than 25 MiB.", "A refusal of the platform.");
    const refused = page.getByRole("listitem").filter({ hasText: "Refused" });
    expect((await refused.allTextContents()).map((text) => text.slice(0, 9))).toEqual([
      "refused.x",
      "large.bin",
    ]);
    await user.see(page, page.locator(".media-grid img"));
    const width = "document.querySelector('.media-grid img').naturalWidth";
    expect(
      await page.evaluate(`document.querySelector(".media-grid img").decode().then(() => ${width})`),
    ).toBe(300);
    await user.press(page, "Clear finished", gone("4 of 4 finished"));

    await user.follow(page, "Sea", "300 × 200 pixels", page.locator(".preview img"));
    await user.press(page, "Change the alternative text");
    await dialog(page).getByLabel("What the image shows").fill("Waves at noon");
    await user.pressIn(page, "Save text", page.getByRole("img", { name: "Waves at noon" }));
    await page.getByLabel("Valid for").selectOption("A day");
    await user.press(page, "Make a link");
    const link = page.locator(".section pre");
    await user.see(page, link);
    const response = await fetch((await link.textContent()) ?? "");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    await user.press(page, "End all links", "All links to this file are ended.");
    expect((await fetch(response.url)).status).toBe(404);
    await user.press(page, "Delete");
    await user.pressIn(page, "Delete 1 file", heading("Media"), gone(linkTo("Sea")), linkTo("terms.pdf"));

    // An upload is cancelled while it waits or is sent, and the next one goes on.
    await page.unroute("**/v1/media");
    const sent: string[] = [];
    await page.route("**/v1/media", async (route) => {
      if (route.request().method() !== "POST") return await route.continue();
      sent.push(/filename="([^"]+)"/.exec(route.request().postData() ?? "")?.[1] ?? "");
      // The first upload hangs.
      if (sent.length > 1) await route.continue();
    });
    const pdf = Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF");
    const names = ["hangs.pdf", "waits.pdf", "arrives.pdf"];
    await page.locator("input[type=file]").setInputFiles(names.map((name) => file(name, pdf)));
    await user.see(page, "0 of 3 finished");
    const cancel = (name: string) => page.getByRole("button", { name: `Cancel the upload of ${name}` });
    await user.click(cancel("waits.pdf"), "1 of 3 finished");
    await cancel("hangs.pdf").click();
    await user.see(page, "3 of 3 finished", linkTo("arrives.pdf"));
    expect(sent).toEqual(["hangs.pdf", "arrives.pdf"]);
    const listed = page.locator(".uploads > li");
    expect(await listed.allTextContents()).toEqual([
      "hangs.pdfCancelled",
      "waits.pdfCancelled",
      "arrives.pdfUploaded",
    ]);
  });

  test("files are selected and deleted together, after the entries that use them are named", async () => {
    const { owner, key } = dashboard.tenant;
    const fields = ["title", "picture"].map((key, n) => ({
      key,
      type: ["text", "media"][n],
      required: false,
    }));
    await owner.put("/v1/content-types/page", { name: "Page", fields });
    const { page, ...opened } = await dashboard.open({ at: "/media" });
    const names = ["a.png", "b.png", "c.png"];
    await page.locator("input[type=file]").setInputFiles(names.map((name) => file(name, PNG)));
    await user.see(page, "3 of 3 finished");
    await user.press(page, "Clear finished");
    const { body } = await key.get("/v1/media?search=a.png");
    const entry = { type: "page", data: { title: "Autumn", picture: body.data[0].id } };
    const { data } = (await key.post("/v1/entries", entry)).body;
    await key.post(`/v1/entries/${data.id}/publish`);

    await user.follow(page, "a.png");
    const use = page.getByRole("table", { name: "Used in" }).getByRole("row", { name: "Autumn" });
    await user.see(page, use.getByText("Live"));
    await page.goBack();
    for (const name of names) await page.getByLabel(`Select ${name}`).check();
    await user.see(page, "3 selected");
    await opened.expectAccessible();
    await user.press(page, "Delete");
    await user.see(page, inDialog("1 entry uses them"), dialog(page).getByRole("link", { name: "Autumn" }));
    await page.setViewportSize({ width: 390, height: 844 });
    await user.see(page, dialog);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.route(`**/v1/media/${body.data[0].id}`, (route) =>
      route.fulfill({ status: 409, json: { success: false, error: { code: "conflict", message: "kept" } } }),
    );
    await user.pressIn(page, "Delete 3 files", inDialog("Finished. 2 done, 1 failed."));
    await user.see(page, dialog(page).getByRole("row", { name: "a.png" }).getByText("Kept."));
    await page.unroute(`**/v1/media/${body.data[0].id}`);
    await user.pressIn(page, "Try the others again", "3 files deleted.", gone(linkTo(/^[abc].png/)));
  });

  test("redirects are added, changed and removed, with faults at their fields", async () => {
    const { page, ...opened } = await dashboard.open({ at: "/redirects" }, heading("No redirects yet"));
    await dashboard.tenant.key.post("/v1/redirects", { from: "/a", to: "/b" });
    const add = async (from: string, to: string) => {
      await user.fillExactly(dialog(page), { From: from, To: to });
      await user.pressIn(page, "Add redirect");
    };
    const faultOf = async (label: string) => {
      const field = dialog(page).getByLabel(label, { exact: true });
      await user.see(page, field.and(page.locator("[aria-invalid=true]")));
      return await page
        .locator(`#${(await field.getAttribute("aria-describedby"))?.split(" ")[0]}`)
        .textContent();
    };
    const removeElsewhere = async (from: string) => {
      const { body } = await dashboard.tenant.key.get(`/v1/redirects?from=${from}`);
      await dashboard.tenant.key.delete(`/v1/redirects/${body.data[0].id}`);
    };
    await user.press(page, "Add redirect");
    await add("old page", "/new");
    expect(await faultOf("From")).toMatch(/path/);
    await add("/a", "/c");
    const refused = dialog(page).getByText(/redirect/);
    await user.see(page, refused.first());
    expect(await faultOf("From")).toMatch(/redirect/i);
    await add("/b", "/a");
    expect(await faultOf("To")).toMatch(/loop/i);
    await dialog(page).getByLabel("Moved for good, forms too").check();
    await add(`/old shop/${"x".repeat(400)}`, "https://other.example/ü");
    await user.see(page, rowWith("/old%20shop/", "308"));

    await user.press(page, "Add many");
    await dialog(page).getByLabel("From and to").fill("from;to\n/m;/n\nnone;/x");
    await user.see(page, dialog(page).getByRole("row", { name: "3 none From must" }));
    await opened.expectAccessible();
    await dialog(page).getByLabel("From and to").fill("/m;/n\n/a;/x");
    await user.pressIn(page, "Add 2 redirects");
    await user.see(page, dialog(page).getByRole("row", { name: "2 /a" }).getByText("already exists"));
    await user.pressIn(page, "Cancel", rowWith("/m /n"));

    await user.see(page, exactly("3 redirects"));
    await page.getByLabel("Path or target", { exact: true }).fill("/a");
    await user.see(page, gone(rowWith("/old%20shop/")), exactly("1 redirect"));
    expect(new URL(page.url()).searchParams.get("search")).toBe("/a");
    await user.press(page, "Edit the redirect from /a");
    await dialog(page).getByLabel("To", { exact: true }).fill("/a");
    await user.pressIn(page, "Save redirect");
    expect(await faultOf("To")).toMatch(/loop/i);
    await dialog(page).getByLabel("To", { exact: true }).fill("/c");
    await dialog(page).getByLabel("Elsewhere for now 302").check();
    await user.pressIn(page, "Save redirect", rowWith("/a /c", "302"));
    await page.getByLabel("Select the redirect from /a").check();
    await user.press(page, "Remove");
    await user.pressIn(page, "Remove 1 redirect", "1 redirect removed.", heading("No redirect matches"));

    await page.getByLabel("Path or target", { exact: true }).fill("");
    await page.getByLabel("Select all shown").check();
    await user.press(page, "Remove");
    await removeElsewhere("/m");
    await user.pressIn(page, "Remove 2 redirects", inDialog("Finished. 1 done, 1 failed."));
    await user.see(page, dialog(page).getByRole("row", { name: "/m" }).getByText("No such redirect."));
    await user.pressIn(page, "Close", heading("No redirects yet"));
  });

  test("are used with the keyboard only, at 360 px", async () => {
    const { page } = await dashboard.open({ at: "/redirects", ...PHONE });
    await user.enter(page, "Add redirect", dialog(page));
    await user.typeAt(page, "From", "/by-keyboard");
    await user.enterAt(page, "To", "/there", rowWith("/by-keyboard"));
    await user.tabTo(page, "Select all shown");
    await page.keyboard.press("Space");
    await user.enter(page, "Remove");
    await user.enter(page, "Remove 1 redirect", "1 redirect removed.", gone(rowWith("/by-keyboard")));

    // Wait for the event before the page loads: the browser needs a moment until it leaves the choice of files to the test.
    const chooser = page.waitForEvent("filechooser");
    await user.goTo(page, "/media");
    await user.enter(page, "Upload files");
    await (await chooser).setFiles([file("small.png", PNG)]);
    await user.see(page, "1 of 1 finished");
    await user.enter(page, "small.png", "300 × 200 pixels");

    await user.goTo(page, "/shop");
    await user.enter(page, "Deactivate Content, media and redirects", dialog);
    await user.enter(page, "Deactivate");
    await user.tabTo(page, "Activate Content, media and redirects");
    await user.enter(page, "Menu", linkTo("Overview"));
    expect(await page.getByRole("link", { name: /^(Redirects|Notices)/ }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await user.goTo(page, "/redirects", "The module “content” is not active");
    await user.goTo(page, "/shop");
    await user.enter(page, "Activate Content, media and redirects");
    await user.tabTo(page, "Deactivate Content, media and redirects");
  });
});
