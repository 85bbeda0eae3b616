// Reads the QR code on a page as a camera does: from its pixels.
import type { Page } from "playwright-core";
import decode from "qr/decode.js";

const PIXELS_PER_MODULE = 4;
const LIGHT = 255;

/** Resolves with the text of the QR code with this label. */
export async function readQrCode(page: Page, label: string): Promise<string> {
  const image = page.getByRole("img", { name: label });
  const [, size = ""] = /^0 0 (\d+) \1$/.exec((await image.getAttribute("viewBox")) ?? "") ?? [];
  const path = (await image.locator("path").getAttribute("d")) ?? "";
  const side = Number(size) * PIXELS_PER_MODULE;
  const data = new Uint8ClampedArray(side * side * 4).fill(LIGHT);
  for (const [, x = "", y = ""] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < PIXELS_PER_MODULE; row += 1) {
      const first = (Number(y) * PIXELS_PER_MODULE + row) * side + Number(x) * PIXELS_PER_MODULE;
      for (let pixel = first; pixel < first + PIXELS_PER_MODULE; pixel += 1)
        data.fill(0, pixel * 4, pixel * 4 + 3);
    }
  }
  return decode({ width: side, height: side, data });
}
