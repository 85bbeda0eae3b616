// The processing of images: three derivatives, rotated upright and without metadata, or a failure reason.
import sharp from "sharp";
import { download, picture, uploadAndWait } from "./support/media-client.ts";
import { sharedTestContent } from "./support/test-content.ts";

const content = await sharedTestContent();
const tenant = content.newTenant();

describe("an image", () => {
  const sizes = (media: { variants: { name: string; width: number; height: number }[] }) =>
    media.variants.map(({ name, width, height }) => [name, width, height]);

  test.each(["jpeg", "png", "webp", "gif", "avif", "tiff"] as const)(
    "of type %s gets derivatives",
    async (type) => {
      const media = await uploadAndWait(tenant, await (await picture(1000, 500)).toFormat(type).toBuffer());
      const shown = { status: "ready", contentType: `image/${type}`, width: 1000, height: 500 };
      expect(media).toMatchObject(shown);
      expect(sizes(media)).toEqual([
        ["thumbnail", 320, 160],
        ["medium", 960, 480],
        ["large", 1000, 500],
      ]);
      for (const { url, width, contentType, sizeBytes } of media.variants) {
        const { bytes, headers } = await download(content, tenant, url);
        expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width });
        expect([contentType, sizeBytes]).toEqual([headers.get("content-type"), bytes.length]);
      }
    },
  );

  test("with an EXIF orientation is rotated upright and loses its metadata", async () => {
    const image = (await picture(400, 200)).withMetadata({ orientation: 6 });
    const media = await uploadAndWait(tenant, await image.jpeg().toBuffer());
    expect(media).toMatchObject({ width: 200, height: 400 });
    expect(sizes(media)[0]).toEqual(["thumbnail", 200, 400]);
    const { bytes } = await download(content, tenant, media.variants[0].url);
    const { exif, orientation, width } = await sharp(bytes).metadata();
    expect({ exif, orientation, width }).toEqual({ exif: undefined, orientation: undefined, width: 200 });
    // Rotated clockwise, the red left half is on top.
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeGreaterThan(200);
  });

  test("that is animated keeps its first frame", async () => {
    const frames = await Promise.all(
      ["#f00", "#0f0"].map((background) =>
        sharp({ create: { width: 60, height: 40, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(gif).metadata()).pages).toBe(2);
    const media = await uploadAndWait(tenant, gif);
    expect(media).toMatchObject({ status: "ready", width: 60, height: 40 });
    const { bytes } = await download(content, tenant, media.variants[2].url);
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
  });

  test("that is very tall gets narrower derivatives, which WebP can hold", async () => {
    const tall = sharp({ create: { width: 100, height: 40_000, channels: 3, background: "#f00" } });
    const media = await uploadAndWait(tenant, await tall.png().toBuffer());
    expect(sizes(media)[2]).toEqual(["large", 41, 16383]);
  });

  test("with too many pixels fails", async () => {
    const bomb = sharp({ create: { width: 7_100, height: 7_100, channels: 3, background: "#000" } });
    const media = await uploadAndWait(tenant, await bomb.png().toBuffer());
    expect(media).toMatchObject({ status: "failed", width: null, variants: [] });
    expect(media.failureReason).toBe("more than 50 megapixels");
    expect((await tenant.get(`${media.url}?variant=large`)).status).toBe(404);
  });

  test("that is truncated fails", async () => {
    const whole = await (await picture(800, 600)).jpeg().toBuffer();
    const media = await uploadAndWait(tenant, whole.subarray(0, whole.length / 2));
    expect(media).toMatchObject({ status: "failed", failureReason: "not a readable image" });
    expect((await download(content, tenant, media.url)).status).toBe(200);
  });

  test.each([
    ["SVG", "a.svg", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["HTML called .png", "a.png", "<!doctype html><script>alert(1)</script>"],
    ["PDF", "a.pdf", "%PDF-1.7\n1 0 obj\n"],
    ["XML", "a.xml", '<?xml version="1.0"?><x/>'],
  ])("is not detected in %s, which is sent as an attachment", async (_what, filename, text) => {
    const media = await uploadAndWait(tenant, Buffer.from(text), filename);
    expect(media).toMatchObject({ status: "ready", variants: [] });
    expect(media.contentType).not.toMatch(/html|^image/);
    const { headers } = await download(content, tenant, media.url);
    expect(headers.get("content-disposition")).toMatch(/^attachment/);
  });
});
