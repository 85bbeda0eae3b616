// Decoding images in real decoder processes.
import sharp from "sharp";
import { type DecodeResult, startDecoders } from "../src/media/image/start-decoders.ts";
import { picture } from "./support/media-client.ts";

const PIXELS_MAX = 50_000_000;

describe("a decoder", () => {
  const never = new AbortController().signal;
  const decode = startDecoders({ pixelsMax: PIXELS_MAX });

  test.each([1, 2, 5, 8])("rotates an image with the EXIF orientation %i upright", async (orientation) => {
    const image = await (await picture(300, 200))
      .withMetadata({ orientation })
      .jpeg({ quality: 95 })
      .toBuffer();
    const expected = sharp(image).autoOrient().removeAlpha().raw();
    const result = await decode(image, never);
    expect(result).toMatchObject(
      orientation >= 5 ? { width: 200, height: 300 } : { width: 300, height: 200 },
    );
    expect(await difference(await expected.toBuffer(), await pixelsOf(result, "large"))).toBeLessThan(5);
  });

  test.each([
    ["gray", "b-w"],
    ["16 bits", "rgb16"],
    ["gray in 16 bits", "grey16"],
    ["CMYK", "cmyk"],
  ])("keeps the colours of an image in %s", async (_what, colourspace) => {
    const image = (await picture(700, 500)).removeAlpha().toColourspace(colourspace);
    const bytes = await (colourspace === "cmyk" ? image.jpeg({ quality: 95 }) : image.png()).toBuffer();
    const result = await decode(bytes, never);
    for (const name of ["large", "thumbnail"]) {
      const width = name === "large" ? 700 : 320;
      const expected = await sharp(bytes).resize({ width }).toColourspace("srgb").webp().toBuffer();
      const pixels = await sharp(expected).removeAlpha().raw().toBuffer();
      expect([name, await difference(pixels, await pixelsOf(result, name))]).toEqual([
        name,
        expect.closeTo(0, -1),
      ]);
    }
  });

  test("refuses bytes that are not an image, and SVG", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    for (const bytes of [Buffer.alloc(0), Buffer.from("GIF89a"), Buffer.from(svg)]) {
      expect(await decode(bytes, never)).toEqual({ failureReason: "not a readable image" });
    }
  });

  test("is killed when its time is over", async () => {
    const limited = startDecoders({ pixelsMax: PIXELS_MAX, timeMsMax: 1 });
    expect(await limited(await (await picture(300, 200)).png().toBuffer(), never)).toMatchObject({
      failure: "time",
    });
  });
});

async function pixelsOf(result: DecodeResult, name: string): Promise<Buffer> {
  if (!("variants" in result)) throw new Error(JSON.stringify(result));
  const variant = result.variants.find((one) => one.variant.name === name);
  return await sharp(variant?.bytes).removeAlpha().raw().toBuffer();
}

/** The mean difference between the samples of two pictures, from 0 to 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  expect(one.length).toBe(other.length);
  return one.reduce((sum, sample, index) => sum + Math.abs(sample - (other[index] ?? 0)), 0) / one.length;
}
