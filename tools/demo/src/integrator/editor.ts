// An editor who writes articles: most stay live, some are renamed, taken down or deleted.
import type { Client } from "./client.ts";

interface Entry {
  readonly id: string;
}

export const ARTICLE_TYPE = "demo-article";
export const ARTICLE = {
  name: "Article",
  fields: [{ key: "title", type: "text", required: true }],
};

/** Creates and publishes an article, and then, depending on its number, changes its fate. */
export async function writeArticle(client: Client, name: string, number: number): Promise<void> {
  const key = `${name}-${number}`;
  const { id } = await client.post<Entry>("v1/entries", key, {
    type: ARTICLE_TYPE,
    slug: key,
    data: { title: `Article ${number}` },
  });
  const path = `v1/entries/${id}`;
  await client.post(`${path}/publish`, `${key}-publish`);
  if (number % 4 === 1) await client.post(`${path}/unpublish`, `${key}-unpublish`);
  if (number % 4 === 2) await client.delete(path);
  if (number % 4 === 3) {
    await client.post(`${path}/unpublish`, `${key}-unpublish`);
    await client.post(`${path}/publish`, `${key}-republish`);
  }
}
