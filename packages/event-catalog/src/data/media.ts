// The media asset in events, as in the API.
import { z } from "zod";

const pixels = z.int().positive();
const bytes = z.int().nonnegative();

const variant = z.strictObject({
  name: z.enum(["thumbnail", "medium", "large"]),
  width: pixels.describe("In pixels."),
  height: pixels.describe("In pixels."),
  contentType: z.string(),
  sizeBytes: bytes,
  url: z.string().describe("The path of its bytes, which needs the credential."),
});

export const media = z
  .strictObject({
    id: z.uuid(),
    filename: z.string(),
    altText: z.string().nullable().describe("What the image shows, for people who do not see it."),
    contentType: z.string().describe("The media type, told by the file's bytes."),
    sizeBytes: bytes,
    sha256: z.string().describe("The SHA-256 of the file, in hex."),
    status: z
      .enum(["uploaded", "processing", "ready", "failed"])
      .describe("`ready` once an image has its variants; other files are ready at once."),
    failureReason: z.string().optional().describe("Only with the status `failed`."),
    width: pixels
      .nullable()
      .describe("Of an image, in pixels; null until it is `ready`, and for other files."),
    height: pixels
      .nullable()
      .describe("Of an image, in pixels; null until it is `ready`, and for other files."),
    url: z.string().describe("The path of its bytes, which needs the credential."),
    variants: z.array(variant).describe("Smaller versions of an image, as WebP."),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Media", description: "A media asset: an uploaded file, and an image's variants." });

const schema = z.strictObject({ media });

const url = "/v1/media/0198c5b4-11d2-7e35-a6f7-4c5d6e7f8091/file";

const uploaded = {
  id: "0198c5b4-11d2-7e35-a6f7-4c5d6e7f8091",
  filename: "autumn.jpg",
  altText: null,
  contentType: "image/jpeg",
  sizeBytes: 482_113,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  status: "uploaded",
  width: null,
  height: null,
  url,
  variants: [],
  createdAt: "2026-08-20T09:30:00.000Z",
};

const variantExample = (name: string, width: number, height: number, sizeBytes: number) => ({
  name,
  width,
  height,
  contentType: "image/webp",
  sizeBytes,
  url: `${url}?variant=${name}`,
});

const processed = {
  ...uploaded,
  status: "ready",
  width: 2400,
  height: 1600,
  variants: [
    variantExample("thumbnail", 320, 213, 9_412),
    variantExample("medium", 960, 640, 61_806),
    variantExample("large", 1920, 1280, 198_254),
  ],
};

export const mediaEvents = {
  "media.uploaded": { schema, example: { media: uploaded } },
  "media.processed": { schema, example: { media: processed } },
  "media.updated": { schema, example: { media: { ...processed, altText: "Leaves on a wet street" } } },
  "media.deleted": { schema, example: { media: processed } },
};
