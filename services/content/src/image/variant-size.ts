// Computes the size of a derivative. Pure.
import { VARIANT_WIDTHS, type VariantName } from "./variant.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

// The largest side of a WebP image. A derivative that would be higher becomes narrower instead.
const WEBP_PIXELS_MAX = 16_383;

/** `width` and `height` are the image's after EXIF rotation. Keeps the proportions and never enlarges. */
export function variantSize(name: VariantName, { width, height }: Size): Size {
  const scale = Math.min(1, VARIANT_WIDTHS[name] / width, WEBP_PIXELS_MAX / height);
  return { width: scaled(width, scale), height: scaled(height, scale) };
}

function scaled(pixels: number, scale: number): number {
  return Math.max(1, Math.round(pixels * scale));
}
