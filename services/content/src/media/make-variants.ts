// Makes an image's derivatives with sharp: upright, without metadata, the first frame of what moves, never enlarged.
import sharp, { type Metadata } from "sharp";
import { VARIANT_WIDTHS, type Variant, type VariantName, variantNames } from "./media.ts";

export interface Made {
  readonly width: number;
  readonly height: number;
  readonly variants: readonly { readonly variant: Variant; readonly bytes: Buffer }[];
}

/** Why there are no derivatives: one of a few sentences, for whoever uploaded it. */
export interface Refusal {
  readonly failureReason: string;
}

// The most that WebP can be; what is taller than this at its width becomes narrower.
const WEBP_PIXELS_MAX = 16_383;
const SECONDS_MAX = 60;

// Images come two or three at a time; more threads for each would only take turns.
sharp.concurrency(1);
sharp.cache(false);

/** In: a whole file, and how many pixels it may have: a few bytes can say that they are a wall of them. */
export async function makeVariants(file: Buffer, pixelsMax: number): Promise<Made | Refusal> {
  try {
    const metadata = await sharp(file, { limitInputPixels: false }).metadata();
    if (metadata.width * metadata.height > pixelsMax) return tooManyPixels(pixelsMax);
    const { width, height } = uprightSize(metadata);
    const variants: Made["variants"][number][] = [];
    // One after the other: side by side they would hold as many images in memory.
    for (const name of variantNames) variants.push(await makeVariant(file, name, pixelsMax));
    return { width, height, variants };
  } catch (error) {
    // Nothing here depends on anything but the bytes: what fails once fails again.
    const isSlow = Error.isError(error) && error.message.startsWith("timeout");
    return { failureReason: isSlow ? "took too long to process" : "not a readable image" };
  }
}

async function makeVariant(file: Buffer, name: VariantName, pixelsMax: number) {
  const { data, info } = await sharp(file, { limitInputPixels: pixelsMax, failOn: "error" })
    .autoOrient()
    .resize({
      width: VARIANT_WIDTHS[name],
      height: WEBP_PIXELS_MAX,
      fit: "inside",
      withoutEnlargement: true,
    })
    .webp()
    .timeout({ seconds: SECONDS_MAX })
    .toBuffer({ resolveWithObject: true });
  const { width, height, size } = info;
  return { variant: { name, width, height, contentType: "image/webp", sizeBytes: size }, bytes: data };
}

function uprightSize({ autoOrient, width, height }: Metadata): { width: number; height: number } {
  return { width: autoOrient.width ?? width, height: autoOrient.height ?? height };
}

function tooManyPixels(pixelsMax: number): Refusal {
  return { failureReason: `more than ${pixelsMax / 1_000_000} megapixels` };
}
