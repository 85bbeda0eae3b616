// Pictures of a few KB that take a careless server a gigabyte to draw.
import sharp from "sharp";

/** Just below 50 megapixels, the most that is drawn. */
const SIDE = 7_071;

export interface Picture {
  readonly filename: string;
  readonly bytes: Buffer;
}

/** Ten, of four kinds. */
export async function hostilePictures(): Promise<Picture[]> {
  const blank = () => sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: "#345" } });
  const avif = await blank().avif({ effort: 0 }).toBuffer();
  // Turned by what its header says, so that every row of the picture is needed before the first is drawn.
  const png = await blank().toColourspace("rgb16").withMetadata({ orientation: 6 }).png().toBuffer();
  const jpeg = await blank().jpeg({ progressive: true }).toBuffer();
  const webp = await blank().webp({ effort: 0 }).toBuffer();
  const kinds = [
    ["avif", avif],
    ["png", png],
    ["avif", avif],
    ["jpg", jpeg],
    ["webp", webp],
  ] as const;
  return [...kinds, ...kinds].map(([extension, bytes], index) => ({
    filename: `hostile-${index + 1}.${extension}`,
    bytes,
  }));
}

/** Nothing special about it. */
export async function ordinaryPicture(): Promise<Picture> {
  const bytes = await sharp({ create: { width: 640, height: 480, channels: 3, background: "#a53" } })
    .jpeg()
    .toBuffer();
  return { filename: "ordinary.jpg", bytes };
}
