// The derivatives of an image and their sizes (interface §5). Pure.

export const variantNames = ["thumbnail", "medium", "large"] as const;
export type VariantName = (typeof variantNames)[number];

export function isVariantName(name: string): name is VariantName {
  return (variantNames as readonly string[]).includes(name);
}

export const VARIANT_WIDTHS: Readonly<Record<VariantName, number>> = {
  thumbnail: 320,
  medium: 960,
  large: 1920,
};

export interface Size {
  readonly width: number;
  readonly height: number;
}

// The largest side of WebP. A higher derivative becomes narrower instead.
const WEBP_PIXELS_MAX = 16_383;

/** Keeps the proportions of the image after EXIF rotation, and never enlarges. */
export function variantSize(name: VariantName, { width, height }: Size): Size {
  const scale = Math.min(1, VARIANT_WIDTHS[name] / width, WEBP_PIXELS_MAX / height);
  return { width: scaled(width, scale), height: scaled(height, scale) };
}

function scaled(pixels: number, scale: number): number {
  return Math.max(1, Math.round(pixels * scale));
}
