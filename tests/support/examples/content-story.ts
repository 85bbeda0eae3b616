// A shop writes an article with a picture and moves a page of its site.
import { crc32, deflateSync } from "node:zlib";
import { apiClient, bearer, until } from "@tradepost/testing";
import type { Credentials } from "./identity-story.ts";
import type { Call } from "./recorder.ts";

const HOUR_MS = 60 * 60_000;

export async function contentStory(
  call: Call,
  { ownerToken, apiKey: token }: Credentials,
  gatewayUrl: string,
): Promise<void> {
  const mediaId = await pictureStory(call, token, gatewayUrl);
  await articleStory(call, { ownerToken, token, mediaId });
  await redirectStory(call, token);
  await call("deleteMedia", { token, params: { id: mediaId } });
  await call("listContentEvents", {
    token,
    query: { types: "content.entry.published,redirect.added", limit: "2", waitSeconds: "20" },
  });
}

async function pictureStory(call: Call, token: string, gatewayUrl: string): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(picture(2_400, 1_600))]), "autumn.png");
  const { data: media } = await call("uploadMedia", { token, form });
  const params = { id: media.id };
  const client = apiClient(gatewayUrl, bearer(token));
  await until("the variants", async () => {
    const { body } = await client.get(`/v1/media/${media.id}`);
    return body.data.status === "ready";
  });
  await call("getMedia", { token, params });
  await call("listMedia", { token, query: { limit: "1" } });
  await call("getMediaFile", {
    token,
    params,
    query: { variant: "thumbnail" },
    headers: { range: "bytes=0-9" },
  });
  const { data: link } = await call("createMediaLink", {
    token,
    params,
    headers: { "idempotency-key": "newsletter-34" },
    body: { variant: "medium", expiresInSeconds: 86_400 },
  });
  const query = Object.fromEntries(new URL(link.url, gatewayUrl).searchParams);
  await call("getLinkedFile", { params, query });
  await call("endMediaLinks", { token, params });
  await call("updateMedia", { token, params, body: { altText: "Leaves on a wet street" } });
  return media.id;
}

async function articleStory(
  call: Call,
  { ownerToken, token, mediaId }: { ownerToken: string; token: string; mediaId: string },
): Promise<void> {
  const slug = { slug: "article" };
  await call("putContentType", {
    token: ownerToken,
    params: slug,
    body: {
      name: "Article",
      fields: [
        { key: "title", type: "text", required: true },
        { key: "body", type: "richtext" },
        { key: "picture", type: "media" },
      ],
    },
  });
  await call("getContentType", { token, params: slug });
  await call("listContentTypes", { token });
  const { data: entry } = await call("createEntry", {
    token,
    headers: { "idempotency-key": "article-12" },
    body: {
      type: "article",
      slug: "autumn-collection",
      data: { title: "The autumn collection", body: "Warm colours, from Friday on.", picture: mediaId },
    },
  });
  const params = { id: entry.id };
  await call("updateEntry", {
    token,
    params,
    headers: { "if-match": '"1"' },
    body: { data: { body: "Warm colours, from Thursday on." } },
  });
  await call("listRevisions", { token, params });
  await call("restoreRevision", { token, params: { ...params, n: "1" } });
  const publishAt = new Date(Date.now() + 72 * HOUR_MS).toISOString();
  await call("scheduleEntry", { token, params, body: { publishAt } });
  await call("unscheduleEntry", { token, params });
  await call("publishEntry", { token, params });
  await call("getEntry", { token, params, query: { version: "published" } });
  await call("exportEntries", { token, query: { format: "ndjson", type: "article" } });
  await call("listEntries", { token, query: { type: "article", version: "published", limit: "10" } });
  await call("unpublishEntry", { token, params });
  await call("deleteEntry", { token, params });
}

async function redirectStory(call: Call, token: string): Promise<void> {
  const { data: redirect } = await call("createRedirect", {
    token,
    headers: { "idempotency-key": "redirect-old-shop" },
    body: { from: "/old shop/", to: "/shop", type: 308 },
  });
  await call("createRedirects", {
    token,
    headers: { "idempotency-key": "redirects-of-the-old-shop" },
    body: {
      redirects: [
        { from: "/old-sale", to: "/sale" },
        { from: "/old shop", to: "/elsewhere" },
      ],
    },
  });
  const params = { id: redirect.id };
  await call("resolveRedirect", { token, query: { path: "/old shop" } });
  await call("getRedirect", { token, params });
  await call("exportRedirects", { token, query: { format: "csv" } });
  await call("listRedirects", { token, query: { from: "/old shop" } });
  await call("deleteRedirect", { token, params });
}

/** Returns a PNG of one colour. */
function picture(width: number, height: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // 8 bits each for red, green and blue.
  const header = Buffer.concat([size, Buffer.from([8, 2, 0, 0, 0])]);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(3 * width, Buffer.from([196, 98, 45]))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
