// Places on a page of the dashboard, for `user.see` and the like.
import type { Locator, Page } from "playwright-core";
import type { Shown } from "./user.ts";

export const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole("heading", { name, exact: true });
/** The heading of a screen. */
export const title = (name: string | RegExp) => (page: Page) =>
  page.getByRole("heading", { name, level: 1, exact: true });
/** A row, or a text in it. */
export const rowWith = (name: string | RegExp, text?: string | RegExp) => (page: Page) => {
  const found = page.getByRole("row", { name });
  return text === undefined ? found : found.getByText(text);
};
export const linkTo = (name: string | RegExp) => (page: Page) => page.getByRole("link", { name });
export const exactly = (text: string) => (page: Page) => page.getByText(text, { exact: true });
export const firstOf = (text: string | RegExp) => (page: Page) => page.getByText(text).first();
export const alert = (text: string | RegExp) => (page: Page) => page.getByRole("alert").getByText(text);
/** The fault at a field. */
export const fault = (text: string | RegExp) => (page: Page) => page.locator(".field-error").getByText(text);
export const inDialog = (text: string | RegExp) => (page: Page) => dialog(page).getByText(text);

/** For a wait until `shown` disappears. */
export const gone = (shown: Shown) => ({ gone: shown });

export function dialog(page: Page): Locator {
  return page.getByRole("dialog");
}
