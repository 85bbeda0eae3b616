// Makes an image's derivatives with sharp: upright, without metadata, the first frame of what moves, never enlarged.
// Runs in the decoder's process only: the bytes are a stranger's.
import sharp, { type Metadata, type Sharp } from "sharp";
import { type Variant, type VariantName, variantNames } from "../media/media.ts";
import { refusalByHeader } from "./image-limits.ts";
import { type Size, variantSize } from "./variant-size.ts";

export interface Made extends Size {
  readonly variants: readonly { readonly variant: Variant; readonly bytes: Buffer }[];
}

/** Why there are no derivatives: one of a few sentences, for whoever uploaded it. */
export interface Refusal {
  readonly failureReason: string;
}

/** Pixels in memory: what was decoded once, and becomes smaller and smaller. */
interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

// One image is in hand at a time; more threads would only take cores from the service.
sharp.concurrency(1);
sharp.cache(false);
// Other formats, and what reads files by name, are out of reach, whatever an image's bytes make libvips take them for.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff"].map((format) => `VipsForeignLoad${format}`),
});

// The pixel limit is `refusalByHeader`'s to hold; sharp's own would only repeat it with another text.
const READ = { limitInputPixels: false, failOn: "error" } as const;

/** In: a whole file, and how many pixels it may have. Rejects for no image. */
export async function makeVariants(file: Buffer, pixelsMax: number): Promise<Made | Refusal> {
  try {
    const metadata = await sharp(file, READ).metadata();
    const failureReason = refusalByHeader(metadata, pixelsMax);
    if (failureReason !== null) return { failureReason };
    return await shrink(file, metadata);
  } catch (error) {
    // Nothing here depends on anything but the bytes: what fails once fails again.
    const isOutOfMemory = Error.isError(error) && /memory/i.test(error.message);
    return { failureReason: isOutOfMemory ? "takes too much memory to process" : "not a readable image" };
  }
}

/** Decodes once, into the largest derivative; each of the others is made of the one before it. */
async function shrink(file: Buffer, metadata: Metadata): Promise<Made> {
  const { width, height } = metadata.autoOrient;
  const upright = { width, height };
  const turns = turnsOf(metadata.orientation);
  const [largest = "large", ...smaller] = variantNames.toReversed();
  let pixels = await decode(file, variantSize(largest, upright), turns);
  const made = [await encode(largest, pixels)];
  for (const name of smaller) {
    pixels = await pixelsOf(fit(read(pixels), variantSize(name, upright)));
    made.push(await encode(name, pixels));
  }
  return { ...upright, variants: made.toReversed() };
}

/** Turned upright last: turning needs all pixels in memory, and by then they are few. */
async function decode(file: Buffer, { width, height }: Size, turns: Turns): Promise<Pixels> {
  const size = turns.swapsSides ? { width: height, height: width } : { width, height };
  let pixels = await pixelsOf(fit(sharp(file, READ), size));
  if (turns.degrees !== 0) pixels = await pixelsOf(read(pixels).rotate(turns.degrees));
  if (turns.mirrors) pixels = await pixelsOf(read(pixels).flop());
  return pixels;
}

interface Turns {
  /** Clockwise. */
  readonly degrees: number;
  /** Left to right, once it is turned. */
  readonly mirrors: boolean;
  readonly swapsSides: boolean;
}

/** In: an orientation as EXIF counts them, 1 to 8. */
function turnsOf(orientation = 1): Turns {
  const degrees = [0, 0, 180, 180, 90, 90, 270, 270][orientation - 1] ?? 0;
  return { degrees, mirrors: [2, 4, 5, 7].includes(orientation), swapsSides: degrees % 180 !== 0 };
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
