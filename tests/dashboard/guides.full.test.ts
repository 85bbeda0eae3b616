// The guides: short, with the address of the shop and the beginning of its key, and with receivers that can be copied.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { describeWithBrowser } from "../support/browser.ts";
import { ROOT } from "../support/compose-file.ts";
import { tabTo, useDashboard } from "./support/dashboard.ts";

const RECEIVERS = path.join(ROOT, "docs/receivers");

describeWithBrowser("the guides in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  test("have the shop's own address and key, and every receiver of the documentation", async () => {
    const { url } = dashboard.platform;
    const [, , keyId] = dashboard.tenant.apiKey.split("_");
    const { page, ...opened } = await dashboard.open();
    await page.getByRole("link", { name: "Guides" }).click();
    await page.getByRole("heading", { name: "Guides" }).waitFor();
    await opened.picture("guides");
    await page.getByRole("link", { name: "Use the API" }).click();
    await page.getByText(`curl -sS ${url}/v1/me -H 'Authorization: Bearer sk_live_${keyId}_…'`).waitFor();
    await page.getByText(`npm install ${url}/client.tgz`).waitFor();
    await opened.picture("guide-api");
    await page.getByRole("link", { name: "read the feed" }).click();
    await page.getByText(`${url}/v1/orders/events?after=now`).waitFor();
    await page.getByRole("link", { name: "All guides" }).click();
    await page.getByRole("link", { name: "Connect an assistant" }).click();
    await page.getByText(`claude mcp add --transport http tradepost ${url}/mcp`).waitFor();
    await page.getByRole("link", { name: "All guides" }).click();

    await page.getByRole("link", { name: "Receive webhooks" }).click();
    const language = page.getByLabel("Language");
    const shown: string[] = [];
    for (const value of await language
      .locator("option")
      .evaluateAll((all) => all.map((one) => one.getAttribute("value")))) {
      await language.selectOption(value);
      const code = page.getByText(readFileSync(path.join(RECEIVERS, String(value)), "utf8").slice(0, 40));
      await code.waitFor();
      shown.push(String(value));
    }
    expect(shown.toSorted()).toEqual(readdirSync(RECEIVERS).toSorted());
    await opened.picture("guide-webhooks");
  });

  test("are read by everyone, with the keyboard at 360 px", async () => {
    const { page, ...opened } = await dashboard.open({
      as: await dashboard.addStaff("viewer"),
      at: "/guides",
      width: 360,
      height: 740,
    });
    await tabTo(page, "Connect an assistant");
    await page.keyboard.press("Enter");
    await page.getByText("Bearer sk_live_…").first().waitFor();
    await page.getByText("an admin can create another").waitFor();
    for (const guide of ["use-the-api", "receive-webhooks", "read-the-feed", "connect-an-assistant"]) {
      await page.goto(`${dashboard.platform.url}/dashboard/guides/${guide}`);
      await page.locator("pre").first().waitFor();
    }
    await opened.picture("guide-narrow");
    await page.goto(`${dashboard.platform.url}/dashboard/guides/cooking`);
    await page.getByText("There is no such guide").waitFor();
  });
});
