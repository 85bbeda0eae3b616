// Describes the operations on media assets and their files (interface §5). Pure.
import { media } from "@tradepost/event-catalog";
import { type About, data, file, page } from "@tradepost/http";
import { z } from "zod";
import { deleted } from "./deleted.ts";

const tag = "Media";

const form = z.strictObject({
  file: z.string().meta({ format: "binary", description: "One file, with its filename, of at most 25 MiB." }),
});

const link = z
  .strictObject({
    url: z.string().describe("A path on the gateway, with its signature."),
    expiresAt: z.iso.datetime().describe("From then on it is 404."),
  })
  .meta({ id: "MediaLink", description: "A signed address of a file, which needs no credential." });

const linksEnded = z.strictObject({ id: z.uuid(), linksEnded: z.literal(true) });

const FILE_HEADERS = {
  Range: "One range of bytes, such as `bytes=0-1023`. Several ranges get the whole file.",
  "If-Range": "An `ETag`: `Range` counts only while it is the current one.",
};

export const mediaAbouts = {
  upload: {
    id: "uploadMedia",
    tag,
    summary: "Upload a file",
    description:
      "The media type is told by the file's bytes, not by its name. From a JPEG, PNG, APNG, WebP, GIF, AVIF or TIFF image three smaller WebP variants are made: `media.processed` says when, and `status` is then `ready` or `failed`.",
    form: { mediaType: "multipart/form-data", schema: form },
    responses: { 201: data(media) },
    location: true,
    errors: ["unsupported_media_type"],
    emits: ["media.uploaded"],
  },
  list: {
    id: "listMedia",
    tag,
    summary: "List media assets, newest first",
    responses: { 200: page(media) },
  },
  get: {
    id: "getMedia",
    tag,
    summary: "Get a media asset",
    description: "Without its bytes, which `getMediaFile` has.",
    responses: { 200: data(media) },
  },
  getFile: {
    id: "getMediaFile",
    tag,
    summary: "Download a file or one of its variants",
    description:
      "The file at this address never changes. 404 also while an image's variants are not made yet.",
    headers: FILE_HEADERS,
    responses: { 200: file("*/*"), 206: file("*/*") },
    errors: ["range_not_satisfiable"],
    etag: true,
  },
  createLink: {
    id: "createMediaLink",
    tag,
    summary: "Make a signed link to a file",
    description:
      "Whoever has the link can read the file without a credential until it expires, as an `<img src>` does. `endMediaLinks` ends all links of a file.",
    responses: { 201: data(link) },
  },
  endLinks: {
    id: "endMediaLinks",
    tag,
    summary: "End all links to a file",
    description: "They are 404 from then on. Links that are made later work.",
    responses: { 200: data(linksEnded) },
  },
  getLinkedFile: {
    id: "getLinkedFile",
    tag,
    summary: "Download the file of a signed link",
    description:
      "For everyone who has the link that `createMediaLink` made. 404 once it has expired or was ended, or if a character of it has changed.",
    headers: FILE_HEADERS,
    needsNoCredential: true,
    responses: { 200: file("*/*"), 206: file("*/*") },
    errors: ["range_not_satisfiable"],
    etag: true,
  },
  delete: {
    id: "deleteMedia",
    tag,
    summary: "Delete a media asset with its files",
    responses: { 200: data(deleted) },
    emits: ["media.deleted"],
  },
} satisfies Record<string, About>;
