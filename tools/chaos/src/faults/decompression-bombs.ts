// Images of a few KB for which a naive decoder needs a gigabyte.
import sharp from "sharp";

/** Just below the limit of 50 megapixels. */
const SIDE = 7_071;

export interface ImageFile {
  readonly filename: string;
  readonly bytes: Buffer;
}

/** Ten images in four formats. */
export async function decompressionBombs(): Promise<ImageFile[]> {
  const blank = () => sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: "#345" } });
  const avif = await blank().avif({ effort: 0 }).toBuffer();
  // With EXIF rotation, the decoder needs every row before it can write the first.
  const png = await blank().toColourspace("rgb16").withMetadata({ orientation: 6 }).png().toBuffer();
  const jpeg = await blank().jpeg({ progressive: true }).toBuffer();
  const webp = await blank().webp({ effort: 0 }).toBuffer();
  const files = [
    ["avif", avif],
    ["png", png],
    ["avif", avif],
    ["jpg", jpeg],
    ["webp", webp],
  ] as const;
  return [...files, ...files].map(([extension, bytes], index) => ({
    filename: `hostile-${index + 1}.${extension}`,
    bytes,
  }));
}

export async function ordinaryImage(): Promise<ImageFile> {
  const bytes = await sharp({ create: { width: 640, height: 480, channels: 3, background: "#a53" } })
    .jpeg()
    .toBuffer();
  return { filename: "ordinary.jpg", bytes };
}
