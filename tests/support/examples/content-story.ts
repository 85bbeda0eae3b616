// A shop writes an article with a picture and moves a page of its site.
import { until } from "@tradepost/testing";
import sharp from "sharp";
import type { Call, Callers } from "./recorder.ts";

const HOUR_MS = 60 * 60_000;

export async function contentStory(callers: Callers): Promise<void> {
  const { key } = callers;
  const mediaId = await pictureStory(callers);
  await articleStory(callers, mediaId);
  await redirectStory(key);
  await key("deleteMedia", { params: { id: mediaId } });
  await key("listContentEvents", {
    query: { types: "content.entry.published,redirect.added", limit: "2", waitSeconds: "20" },
  });
}

async function pictureStory({ as, key, client }: Callers): Promise<string> {
  const form = new FormData();
  const create = { width: 2_400, height: 1_600, channels: 3, background: "#c4622d" } as const;
  const picture = await sharp({ create }).png().toBuffer();
  form.append("file", new Blob([new Uint8Array(picture)]), "autumn.png");
  const { data: media } = await key("uploadMedia", { form });
  const params = { id: media.id };
  await until("the variants", async () => {
    const { body } = await client.get(`/v1/media/${media.id}`);
    return body.data.status === "ready";
  });
  await key("getMedia", { params });
  await key("listMedia", { query: { limit: "1" } });
  await key("getMediaFile", { params, query: { variant: "thumbnail" }, headers: { range: "bytes=0-9" } });
  const { data: link } = await key("createMediaLink", {
    params,
    headers: { "idempotency-key": "newsletter-34" },
    body: { variant: "medium", expiresInSeconds: 86_400 },
  });
  const query = Object.fromEntries(new URL(link.url, "http://localhost").searchParams);
  await as()("getLinkedFile", { params, query });
  await key("endMediaLinks", { params });
  await key("updateMedia", { params, body: { altText: "Leaves on a wet street" } });
  return media.id;
}

async function articleStory({ owner, key }: Callers, mediaId: string): Promise<void> {
  const slug = { slug: "article" };
  await owner("putContentType", {
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
  await key("getContentType", { params: slug });
  await key("listContentTypes");
  const { data: entry } = await key("createEntry", {
    headers: { "idempotency-key": "article-12" },
    body: {
      type: "article",
      slug: "autumn-collection",
      data: { title: "The autumn collection", body: "Warm colours, from Friday on.", picture: mediaId },
    },
  });
  const params = { id: entry.id };
  await key("updateEntry", {
    params,
    headers: { "if-match": '"1"' },
    body: { data: { body: "Warm colours, from Thursday on." } },
  });
  await key("listRevisions", { params });
  await key("restoreRevision", { params: { ...params, n: "1" } });
  const publishAt = new Date(Date.now() + 72 * HOUR_MS).toISOString();
  await key("scheduleEntry", { params, body: { publishAt } });
  await key("unscheduleEntry", { params });
  await key("publishEntry", { params });
  await key("getEntry", { params, query: { version: "published" } });
  await key("exportEntries", { query: { format: "ndjson", type: "article" } });
  await key("listEntries", { query: { type: "article", version: "published", limit: "10" } });
  await key("unpublishEntry", { params });
  await key("deleteEntry", { params });
}

async function redirectStory(key: Call): Promise<void> {
  const { data: redirect } = await key("createRedirect", {
    headers: { "idempotency-key": "redirect-old-shop" },
    body: { from: "/old shop/", to: "/shop", type: 308 },
  });
  await key("createRedirects", {
    headers: { "idempotency-key": "redirects-of-the-old-shop" },
    body: {
      redirects: [
        { from: "/old-sale", to: "/sale" },
        { from: "/old shop", to: "/elsewhere" },
      ],
    },
  });
  const params = { id: redirect.id };
  await key("resolveRedirect", { query: { path: "/old shop" } });
  await key("getRedirect", { params });
  await key("exportRedirects", { query: { format: "csv" } });
  await key("listRedirects", { query: { from: "/old shop" } });
  await key("deleteRedirect", { params });
}
