// The actions and waits of a person on a page of the dashboard.
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { until } from "@tradepost/testing";
import type { Locator, Page } from "playwright-core";

/** A text or a place that appears on the page. */
export type Shown = string | RegExp | Locator | ((page: Page) => Locator);

export type Then = readonly (Shown | { readonly gone: Shown })[];

/** Waits for each of the texts and places. On a phone the page must then be no wider than its window. */
export async function see(page: Page, ...shown: Then): Promise<void> {
  for (const one of shown) {
    const isGone = typeof one === "object" && "gone" in one;
    await placeOf(page, isGone ? one.gone : one).waitFor({ state: isGone ? "detached" : "visible" });
  }
  await takePicture(page);
  const isPhone = (page.viewportSize()?.width ?? Infinity) <= PHONE_WIDTH_MAX;
  if (isPhone && shown.length > 0)
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
}

const PHONE_WIDTH_MAX = 400;

let pictures = 0;

/** Writes a picture in light and one in dark, `webhooks-017-dark.png`, if TEST_SCREENSHOTS names a directory. */
async function takePicture(page: Page): Promise<void> {
  const directory = process.env.TEST_SCREENSHOTS;
  if (!directory) return;
  await mkdir(directory, { recursive: true });
  pictures += 1;
  const { testPath = "" } = expect.getState();
  const name = `${path.basename(testPath, ".full.test.ts")}-${String(pictures).padStart(3, "0")}`;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: path.join(directory, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: "reduce" });
}

function placeOf(page: Page, shown: Shown): Locator {
  if (typeof shown === "function") return shown(page);
  return typeof shown === "string" || shown instanceof RegExp ? page.getByText(shown) : shown;
}

/** Presses the button with this name, and waits for what then appears. */
export async function press(page: Page, name: string, ...then: Then): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await see(page, ...then);
}

/** Presses the button with this name in the open dialog, and waits for what then appears. */
export async function pressIn(page: Page, name: string, ...then: Then): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  await see(page, ...then);
}

/** Presses the button with this name, and then the one in the dialog that it opens, which has the same name by default. */
export async function confirm(page: Page, name: string, inDialog = name, ...then: Then) {
  await press(page, name);
  await pressIn(page, inDialog, ...then);
}

/** Where the link with this name leads. */
export function hrefOf(within: Page | Locator, name: string): Promise<string | null> {
  return within.getByRole("link", { name }).getAttribute("href");
}

/** Clicks the link with this name, and waits for what then appears. */
export async function follow(page: Page, name: string | RegExp, ...then: Then): Promise<void> {
  await page.getByRole("link", { name }).click();
  await see(page, ...then);
}

/** Goes to the path below /dashboard, and waits for what then appears. */
export async function goTo(page: Page, at: string, ...then: Then): Promise<void> {
  await page.goto(new URL(`/dashboard${at}`, page.url()).href);
  await see(page, ...then);
}

/** Fills the fields with these labels, and waits for what then appears. */
export async function fill(within: Page | Locator, values: Readonly<Record<string, string>>, ...then: Then) {
  for (const [label, value] of Object.entries(values)) await within.getByLabel(label).fill(value);
  await see(pageOf(within), ...then);
}

/** Fills the fields with exactly these labels. */
export async function fillExactly(within: Page | Locator, values: Readonly<Record<string, string>>) {
  for (const [label, value] of Object.entries(values))
    await within.getByLabel(label, { exact: true }).fill(value);
}

/** Chooses the options of the fields with these labels, and waits for what then appears. */
export async function choose(
  within: Page | Locator,
  values: Readonly<Record<string, string>>,
  ...then: Then
) {
  for (const [label, value] of Object.entries(values)) await within.getByLabel(label).selectOption(value);
  await see(pageOf(within), ...then);
}

export async function click(place: Locator, ...then: Then): Promise<void> {
  await place.click();
  await see(place.page(), ...then);
}

/** Presses the keys with these names, `Escape` or `g o`, and waits for what then appears. */
export async function key(page: Page, names: string, ...then: Then): Promise<void> {
  for (const name of names.split(" ")) await page.keyboard.press(name);
  await see(page, ...then);
}

export async function back(page: Page, ...then: Then): Promise<void> {
  await page.goBack();
  await see(page, ...then);
}

export async function reload(page: Page, ...then: Then): Promise<void> {
  await page.reload();
  await see(page, ...then);
}

/** Returns the file that the action downloads. */
export async function download(page: Page, action: () => Promise<void>) {
  const downloading = page.waitForEvent("download");
  await action();
  const file = await downloading;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

function pageOf(within: Page | Locator): Page {
  return "page" in within ? within.page() : within;
}

/** Fills the fields with these labels, presses Enter, and waits for what then appears. */
export async function submit(
  within: Page | Locator,
  values: Readonly<Record<string, string>>,
  ...then: Then
): Promise<void> {
  await fill(within, values);
  await key(pageOf(within), "Enter", ...then);
}

/** Opens the link, or presses the button, with this text or name, with the keyboard only, and waits for what then appears. */
export async function enter(page: Page, name: string | RegExp, ...then: Then): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
  await see(page, ...then);
}

/** Types the text into the field with this label, in place of what it has, with the keyboard only. */
export async function typeAt(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

/** Types the text into the field with this label, and presses Enter, with the keyboard only. */
export async function enterAt(page: Page, label: string, text: string, ...then: Then): Promise<void> {
  await typeAt(page, label, text);
  await key(page, "Enter", ...then);
}

/** Presses Tab until the element with this text or name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const target = (text: string) => (typeof name === "string" ? text === name : name.test(text));
  let presses = 0;
  await until(`the focus on ${name}`, async () => {
    const focused = await page.evaluate(
      `(() => { const one = document.activeElement; return ((one.labels?.[0] ?? one).innerText ?? one.textContent ?? "").replace(/\\s+/g, " ").trim(); })()`,
    );
    if (target(String(focused))) return true;
    presses += 1;
    if (presses > 60) throw new Error(`60 presses of Tab did not reach ${name}`);
    await page.keyboard.press("Tab");
    return false;
  });
}
