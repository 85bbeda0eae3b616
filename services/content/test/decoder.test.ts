// A decoder's process within its limits: what it makes, and how it ends. The process is a real one.
import { describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import sharp from "sharp";
import { type DecodeResult, startDecoders } from "../src/image/run-decoder.ts";
import { wideWebp } from "./support/hostile-images.ts";
import { picture } from "./support/media-client.ts";
import { decodersOf } from "./support/processes.ts";

const PIXELS_MAX = 50_000_000;
const MIB = 1024 * 1024;
const onLinux = process.platform === "linux" ? test : test.skip;

describe("a decoder", () => {
  const never = new AbortController().signal;
  const decode = startDecoders({ pixelsMax: PIXELS_MAX });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("turns what lies as EXIF's %i upright", async (orientation) => {
    const image = await (await picture(300, 200))
      .withMetadata({ orientation })
      .jpeg({ quality: 95 })
      .toBuffer();
    const expected = sharp(image).autoOrient().removeAlpha().raw();
    const made = await decode(image, never);
    expect(made).toMatchObject(orientation >= 5 ? { width: 200, height: 300 } : { width: 300, height: 200 });
    expect(await difference(await expected.toBuffer(), await pixelsOf(made, "large"))).toBeLessThan(5);
  });

  test.each([
    ["gray", "b-w"],
    ["16 bits", "rgb16"],
    ["gray in 16 bits", "grey16"],
    ["CMYK", "cmyk"],
  ])("keeps the colours of %s", async (_what, colourspace) => {
    const image = (await picture(700, 500)).removeAlpha().toColourspace(colourspace);
    const bytes = await (colourspace === "cmyk" ? image.jpeg({ quality: 95 }) : image.png()).toBuffer();
    const made = await decode(bytes, never);
    for (const name of ["large", "thumbnail"]) {
      const width = name === "large" ? 700 : 320;
      const expected = await sharp(bytes).resize({ width }).toColourspace("srgb").webp().toBuffer();
      const pixels = await sharp(expected).removeAlpha().raw().toBuffer();
      expect([name, await difference(pixels, await pixelsOf(made, name))]).toEqual([
        name,
        expect.closeTo(0, -1),
      ]);
    }
  });

  test("refuses what is no image, and formats that are no pictures", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    for (const bytes of [Buffer.alloc(0), Buffer.from("GIF89a"), Buffer.from(svg)]) {
      expect(await decode(bytes, never)).toEqual({ failureReason: "not a readable image" });
    }
  });

  test("is ended when its time is over", async () => {
    const hasty = startDecoders({ pixelsMax: PIXELS_MAX, timeMsMax: 1 });
    expect(await hasty(await wideWebp(), never)).toMatchObject({ failure: "time" });
  });

  onLinux("gets no more memory than its share from the kernel", async () => {
    const narrow = startDecoders({ pixelsMax: PIXELS_MAX, memoryBytesMax: 180 * MIB });
    const gif = await sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: "#fff" } })
      .gif({ effort: 1 })
      .toBuffer();
    // libvips reports what it cannot have; GLib, under the GIF reader, ends the process.
    expect(await narrow(gif, never)).toMatchObject({
      failure: "crash",
      stderr: expect.stringMatching(/allocate/),
    });
    const jpeg = await sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: "#fff" } })
      .jpeg({ progressive: true })
      .toBuffer();
    expect(await narrow(jpeg, never)).toEqual({ failureReason: "takes too much memory to process" });
  });

  onLinux("that is killed says so, and the next one works", async () => {
    const image = await wideWebp();
    const dying = decode(image, never);
    process.kill(await until("the decoder", () => decodersOf(process.pid)[0]), "SIGKILL");
    expect(await dying).toMatchObject({ failure: "crash" });
    expect(await decode(image, never)).toMatchObject({ width: 7_071 });
  });

  onLinux("ends with the signal that ends the wait for it", async () => {
    const stopping = new AbortController();
    const dying = decode(await wideWebp(), stopping.signal);
    await until("the decoder", () => decodersOf(process.pid)[0]);
    stopping.abort(new Error("the service stops"));
    await expect(dying).rejects.toThrow("the service stops");
    expect(decodersOf(process.pid)).toEqual([]);
  });
});

async function pixelsOf(result: DecodeResult, name: string): Promise<Buffer> {
  if (!("variants" in result)) throw new Error(JSON.stringify(result));
  const variant = result.variants.find((one) => one.variant.name === name);
  return await sharp(variant?.bytes).removeAlpha().raw().toBuffer();
}

/** The mean difference of two pictures' samples, of 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  expect(one.length).toBe(other.length);
  return one.reduce((sum, sample, index) => sum + Math.abs(sample - (other[index] ?? 0)), 0) / one.length;
}
