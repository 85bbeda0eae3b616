// How large each derivative of an image is. Pure.
import { VARIANT_WIDTHS, type VariantName } from "../media/media.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

// The most that WebP can be; an image that would be taller at its width becomes narrower.
const WEBP_PIXELS_MAX = 16_383;

/** In: the image's size, upright. Out: the derivative's, in the same proportions and never larger. */
export function variantSize(name: VariantName, { width, height }: Size): Size {
  const scale = Math.min(1, VARIANT_WIDTHS[name] / width, WEBP_PIXELS_MAX / height);
  return { width: scaled(width, scale), height: scaled(height, scale) };
}

function scaled(pixels: number, scale: number): number {
  return Math.max(1, Math.round(pixels * scale));
}
