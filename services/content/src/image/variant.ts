// The derivatives of an image (interface §5). Pure.

/** A derivative as the database stores it. Its URL consists of the asset's id and its name. */
export interface Variant {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly contentType: string;
  readonly sizeBytes: number;
}

export const variantNames = ["thumbnail", "medium", "large"] as const;
export type VariantName = (typeof variantNames)[number];

export function isVariantName(name: string): name is VariantName {
  return (variantNames as readonly string[]).includes(name);
}

/** The width of each derivative in pixels, unless the image is narrower. */
export const VARIANT_WIDTHS: Readonly<Record<VariantName, number>> = {
  thumbnail: 320,
  medium: 960,
  large: 1920,
};
