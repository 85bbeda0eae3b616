// Content types and entries in the dashboard: the form of a type, drafts and live entries, schedules, revisions, and the rights
// of roles.
import { until } from "@tradepost/testing";
import { describeWithBrowser } from "../support/browser.ts";
import { PHONE, refuseOnce, useDashboard } from "./support/dashboard.ts";
import { alert, dialog, fault, firstOf, gone, heading, inDialog, linkTo, rowWith } from "./support/places.ts";
import { PNG, upload } from "./support/shop.ts";
import * as user from "./support/user.ts";

const STRANGE = `<img src=x onerror=alert(1)> سلام عليكم 🧑‍🚀 ${"Donaudampfschifffahrt".repeat(12)}`;
const FIELDS = [
  { key: "title", type: "text", required: true },
  { key: "body", type: "richtext", required: false },
  { key: "price", type: "number", required: false },
  { key: "isNew", type: "boolean", required: false },
  { key: "opensAt", type: "datetime", required: false },
  { key: "picture", type: "media", required: false },
  { key: "related", type: "reference", required: false },
  { key: "extra", type: "json", required: false },
];

describeWithBrowser("the content of a shop in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const putType = async (slug: string, fields: unknown[] = FIELDS, name = slug) => {
    const { status } = await dashboard.tenant.owner.put(`/v1/content-types/${slug}`, { name, fields });
    expect(status).toBeLessThan(300);
  };
  const addEntry = async (type: string, data: unknown) => {
    const { status, body } = await dashboard.tenant.owner.post("/v1/entries", { type, data });
    expect(status).toBe(201);
    return body.data.id as string;
  };
  const addPicture = async () => {
    const id = await upload(dashboard, "<b>pixel.png", new Blob([new Uint8Array(PNG)]));
    await until("the thumbnail's file", async () => {
      const { body } = await dashboard.tenant.owner.get(`/v1/media/${id}`);
      return body.data.status === "ready";
    });
    return id;
  };
  const read = async (id: string, query = "") =>
    (await dashboard.tenant.owner.get(`/v1/entries/${id}${query}`)).body.data;

  test("begins with Article, changes the type, and never overwrites or breaks anything", async () => {
    const { page, ...opened } = await dashboard.open({ at: "/entries" });
    const missing: string[] = [];
    page.on("response", (response) => response.status() === 404 && missing.push(response.url()));
    await user.see(page, heading("No entries yet"));
    await user.follow(page, /^content type$/, heading("No content types yet"));
    await user.press(page, "Begin with Article");
    expect(await page.getByLabel("Slug").inputValue()).toBe("article");
    await user.press(page, "Up body");
    expect(await page.getByLabel("Key of field 1").inputValue()).toBe("body");
    await user.press(page, "Down body");
    await user.press(page, "Add a field");
    await page.getByLabel("Key of field 3").fill("title");
    await user.press(page, "Create type", fault("Repeats the key of an earlier field."));
    await opened.expectAccessible();
    await page.getByLabel("Key of field 3").fill("price");
    await page.getByLabel("Type of field 3").selectOption("number");
    await user.press(page, "Create type");
    await page.waitForURL("**/content-types/article");
    await user.see(page, rowWith(/title Text, one line Required/));
    expect(missing).toEqual([]);

    // A new type with the slug of an existing one is refused.
    await user.goTo(page, "/content-types?add=empty");
    await page.getByLabel("Name").fill("Other & more");
    expect(await page.getByLabel("Slug").inputValue()).toBe("other-more");
    await user.press(page, "Add a field");
    expect(await page.evaluate("document.activeElement.labels[0].textContent")).toBe("Key of field 2");
    await user.press(page, "Remove field 2");
    await page.getByLabel("Slug").fill("article");
    await user.press(page, "Create type", fault("Another type has this slug."));
    await user.follow(page, "All content types", inDialog("Leave without saving?"));
    await user.pressIn(page, "Discard my changes");
    await user.follow(page, /^Article$/);

    // Someone else changes the type meanwhile.
    await user.press(page, "Edit");
    await page.getByLabel("Name").fill("Story");
    await putType("article", FIELDS.slice(0, 2), "News");
    await user.press(page, "Save", rowWith("Name Story News"));
    await user.press(page, "Discard yours");
    expect(await page.getByLabel("Name").inputValue()).toBe("News");

    // A change that would break an entry names the entry.
    const id = await addEntry("article", { title: "one" });
    await page.getByLabel("Type of field 1").selectOption("number");
    await user.click(page.getByRole("button", { name: "Save", exact: true }), alert("An entry would break"));
    expect(await user.hrefOf(page, "open the entry")).toBe(`/dashboard/entries/${id}`);
  });

  test("writes an entry with every kind of field, publishes it, and shows draft and live", async () => {
    await putType("product");
    const other = await addEntry("product", { title: "The other" });
    const { page } = await dashboard.open({ at: "/entries/new" });
    await user.follow(page, "product");
    await user.press(page, "Choose Picture", dialog(page).getByRole("heading", { name: "No files yet" }));
    await user.pressIn(page, "Cancel");
    const picture = await addPicture();
    // The browser asks before it reloads a page with unsaved edits.
    await page.getByLabel("price").fill("1");
    const asked: string[] = [];
    page.once("dialog", async (question) => {
      asked.push(question.type());
      await question.accept();
    });
    await page.reload();
    expect(asked).toEqual(["beforeunload"]);
    await user.press(page, "Choose Picture");
    const shown = "document.querySelector('.thumbs img')?.naturalWidth > 0";
    await until("the thumbnail", async () => await page.evaluate(shown));
    await user.pressIn(page, "Cancel");
    await page.getByRole("textbox", { name: "body" }).fill(STRANGE);
    await page.getByLabel("price").fill("many");
    await page.getByLabel("Is new").selectOption("Yes");
    await user.fill(page, { "Opens at": "2027-01-31T10:00", extra: "{" });
    await user.press(page, "Choose Related");
    await dialog(page).getByRole("button", { name: "Choose The other" }).click();
    await user.press(page, "Choose Picture");
    await dialog(page).getByRole("button", { name: "<b>pixel.png" }).click();
    // Files and entries are shown as people know them.
    await user.see(page, page.locator("form img"));
    await until("the name", async () => (await page.getByLabel("Picture").inputValue()) === "<b>pixel.png");
    await until("the title", async () => (await page.getByLabel("Related").inputValue()) === "The other");
    await user.press(page, "Save draft", fault("Is not JSON"), fault("Must be a number."));
    expect(await page.evaluate("document.activeElement.name")).toBe("data.price");
    await user.fill(page, { price: "12.50", extra: '{"deep":[[[[{"a":null}]]]]}', Slug: "the-other" });
    await user.press(page, "Save draft", alert("The slug is taken"));
    await page.getByLabel("Slug").fill("strange");
    await user.press(page, "Save draft");
    await page.waitForURL(/entries\/[0-9a-f-]{36}$/);
    const id = page.url().slice(-36);
    expect((await read(id)).data).toEqual({
      body: STRANGE,
      price: 12.5,
      isNew: true,
      opensAt: new Date("2027-01-31T10:00").toISOString(),
      picture,
      related: other,
      extra: { deep: [[[[{ a: null }]]]] },
    });

    const row = (name: RegExp) => page.getByRole("row", { name });
    await user.see(page, row(/^Picture/).getByRole("link", { name: "<b>pixel.png" }));
    await user.see(page, row(/^Picture/).locator("img"));
    await user.see(page, row(/^Related/).getByRole("link", { name: "The other" }));

    // A draft without its title cannot go live; the form says so at the field.
    await user.confirm(
      page,
      "Publish",
      "Publish",
      alert("The draft cannot go live yet"),
      fault("Is required."),
    );
    await page.getByLabel("title").fill(STRANGE);
    await user.follow(page, "All entries");
    await user.pressIn(page, "Stay here");
    await user.press(page, "Save draft");
    await user.confirm(page, "Publish", "Publish", "Both are the same.");

    // With a newer draft, the page shows how it differs from the live revision.
    await user.press(page, "Edit draft");
    await page.getByRole("textbox", { name: "body" }).fill("Short.");
    await user.press(page, "Save draft");
    const body = page.getByRole("row", { name: /^Body Differs/ });
    await user.see(page, body);
    expect(await body.textContent()).toMatch(/Short\.<img src=x onerror/);
    expect(await page.getByText("Differs", { exact: true }).count()).toBe(1);
    await user.see(page, "Live with unpublished changes");

    // Restores the first revision.
    await user.follow(page, /^Revision 1$/, heading("Revision 1 and the draft"));
    await user.confirm(page, "Restore", "Restore", firstOf("Revision 1 is the draft again, as revision 4."));
    expect((await read(id)).data.body).toBe(STRANGE);
    expect((await read(id, "?version=published")).data.title).toBe(STRANGE);

    // Someone else saves the draft meanwhile.
    await user.follow(page, /^Close$/);
    await user.press(page, "Edit draft");
    await page.getByRole("textbox", { name: "body" }).fill("mine");
    await dashboard.tenant.owner.patch(`/v1/entries/${id}`, { data: { body: "theirs", price: 1 } });
    await user.press(page, "Save draft", rowWith("body mine theirs"));
    expect((await read(id)).data.body).toBe("theirs");
    await user.press(page, "Save your version", firstOf("Revision 6 is saved."));
    expect(await read(id)).toMatchObject({ data: { body: "mine", price: 1 } });

    // Unpublishes the entry, and then deletes it.
    const more = page.getByRole("button", { name: "More actions" });
    await more.click();
    await user.press(page, "Unpublish");
    await refuseOnce(page, `/v1/entries/${id}/unpublish`, { status: 409, code: "invalid_transition" });
    await user.pressIn(page, "Unpublish", inDialog("This has changed in the meantime"));
    await user.pressIn(page, "Unpublish", "Nothing of it is live.");
    await more.click();
    await user.confirm(page, "Delete", "Delete entry", firstOf("The entry is deleted."), linkTo("The other"));
  });

  test("previews Markdown, and finds and uploads files where they are chosen", async () => {
    await putType("story");
    const { page, ...opened } = await dashboard.open({ at: "/entries/new?type=story", ...PHONE });
    await page
      .getByRole("textbox", { name: "Body" })
      .fill(`# Brew\n\n---\n\n- **well**\n- [here](https://a.example)\n\n${STRANGE}`);
    const preview = page.getByRole("region", { name: "Preview" });
    await user.enter(page, "Preview Markdown", preview);
    expect(await preview.getByRole("listitem").allTextContents()).toEqual(["well", "here"]);
    expect(await preview.getByRole("link", { name: "here" }).getAttribute("href")).toBe("https://a.example");
    expect(await preview.textContent()).toContain(STRANGE);
    expect(await preview.locator("img").count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await user.press(page, "Choose Picture");
    await dialog(page)
      .locator("input[type=file]")
      .setInputFiles([
        {
          name: "Terms of sale.pdf",
          mimeType: "application/pdf",
          buffer: Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF"),
        },
      ]);
    const pdf = dialog(page).getByRole("button", { name: "Terms of sale.pdf" });
    await user.see(page, pdf, pdf.locator("svg"));
    await opened.expectAccessible();
    await user.submit(dialog(page), { Name: "nothing like this" }, inDialog("No file has this name"));
    await user.fill(dialog(page), { Name: "of SALE" }, pdf);
    expect(await dialog(page).locator(".thumbs > button").count()).toBe(1);
    await pdf.click();
    await user.press(page, "Remove Picture");
    expect(await page.getByLabel("Picture").inputValue()).toBe("");
  });

  test("schedules an entry that goes live by itself, with the keyboard only at 360 px", async () => {
    await putType("note", FIELDS.slice(0, 2));
    const id = await addEntry("note", { title: STRANGE, body: "b" });
    const { page } = await dashboard.open({ at: "/entries?type=note&x=1", ...PHONE });
    await user.see(page, page.getByRole("table"));
    expect(await page.getByRole("row").count()).toBe(2);
    await user.press(page, "Export");
    const exported = await user.download(page, () => user.press(page, "For programs"));
    expect(exported.text.trim().split("\r\n").length).toBe(2);
    expect(exported.text).toContain(id);
    await user.choose(page, { Status: "Live" }, heading("No entry matches"));
    expect(new URL(page.url()).search).toBe("?type=note&status=published");
    await page.goBack();
    await user.enter(page, /^<img/, heading(/^<img/));
    await user.enter(page, "Edit draft");
    await user.typeAt(page, "Body", "better");
    await user.enter(page, "Cancel", heading("Leave without saving?"));
    await user.tabTo(page, "Discard my changes");
    await page.keyboard.press("Enter");
    await user.enter(page, "Schedule", inDialog("In UTC:"));
    await user.enter(page, "Schedule", /UTC · .* left/);
    await user.enter(page, "Unschedule");
    await user.enter(page, "Unschedule", firstOf("The schedule is gone."));
    const publishAt = new Date(Date.now() + 2_000).toISOString();
    await dashboard.tenant.owner.post(`/v1/entries/${id}/schedule`, { publishAt });
    await user.reload(page, "Both are the same.", gone("Goes live on"));

    // The form of a type on a narrow screen.
    await user.goTo(page, "/content-types/note?edit=true", page.getByLabel("Key of field 1"));
    await user.enter(page, "Down title");
    expect(await page.getByLabel("Key of field 1").inputValue()).toBe("body");
    await user.enter(page, "Save", firstOf("“note” is saved."));
  });
});
