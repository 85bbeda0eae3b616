// Makes derivatives with sharp: upright, without metadata, never enlarged, only the first frame of an animation. Runs only in
// the decoder process, because the bytes are untrusted.
import sharp, { type Metadata, type Sharp } from "sharp";
import type { Variant } from "../../tables.ts";
import { refusalByHeader } from "./image-limits.ts";
import { type Size, type VariantName, variantNames, variantSize } from "./variant.ts";

export interface Variants extends Size {
  readonly variants: readonly { readonly variant: Variant; readonly bytes: Buffer }[];
}

export interface Refusal {
  readonly failureReason: string;
}

interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

// More threads would only take cores from the service.
sharp.concurrency(1);
sharp.cache(false);
// Blocks all loaders that read other formats or files by name, whatever libvips detects.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff"].map((format) => `VipsForeignLoad${format}`),
});

// `refusalByHeader` checks the pixels; sharp would report another text.
const READ = { limitInputPixels: false, failOn: "error" } as const;

export async function makeVariants(file: Buffer, pixelsMax: number): Promise<Variants | Refusal> {
  try {
    const metadata = await sharp(file, READ).metadata();
    const failureReason = refusalByHeader(metadata, pixelsMax);
    if (failureReason !== null) return { failureReason };
    return await shrink(file, metadata);
  } catch (error) {
    // A retry would fail too.
    const isOutOfMemory = Error.isError(error) && /memory/i.test(error.message);
    return { failureReason: isOutOfMemory ? "takes too much memory to process" : "not a readable image" };
  }
}

/** Decodes once, and makes each derivative from the next larger one. */
async function shrink(file: Buffer, metadata: Metadata): Promise<Variants> {
  const { width, height } = metadata.autoOrient;
  const upright = { width, height };
  const orientation = orientationOf(metadata.orientation);
  const [largest = "large", ...smaller] = variantNames.toReversed();
  let pixels = await decode(file, variantSize(largest, upright), orientation);
  const variants = [await encode(largest, pixels)];
  for (const name of smaller) {
    pixels = await pixelsOf(fit(read(pixels), variantSize(name, upright)));
    variants.push(await encode(name, pixels));
  }
  return { ...upright, variants: variants.toReversed() };
}

/** Shrinks first, because rotating needs all pixels in memory. */
async function decode(file: Buffer, { width, height }: Size, orientation: Orientation): Promise<Pixels> {
  const size = orientation.swapsSides ? { width: height, height: width } : { width, height };
  let pixels = await pixelsOf(fit(sharp(file, READ), size));
  if (orientation.degrees !== 0) pixels = await pixelsOf(read(pixels).rotate(orientation.degrees));
  if (orientation.isMirrored) pixels = await pixelsOf(read(pixels).flop());
  return pixels;
}

type Orientation = ReturnType<typeof orientationOf>;

function orientationOf(exif = 1) {
  const degrees = [0, 0, 180, 180, 90, 90, 270, 270][exif - 1] ?? 0;
  return { degrees, isMirrored: [2, 4, 5, 7].includes(exif), swapsSides: degrees % 180 !== 0 };
}

async function encode(name: VariantName, pixels: Pixels) {
  const bytes = await read(pixels).webp().toBuffer();
  const { width, height } = pixels;
  return { variant: { name, width, height, contentType: "image/webp", sizeBytes: bytes.length }, bytes };
}

function read({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}

function fit(image: Sharp, size: Size): Sharp {
  return image.resize({ ...size, fit: "fill" });
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}
