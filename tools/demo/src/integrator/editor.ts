// An editor who writes articles. Some stay live; others are taken down, deleted, or taken down and published again.
import { type BodyOf, type Tradepost, TradepostError } from "@tradepost/client";

export const ARTICLE_TYPE = "demo-article";
export const ARTICLE: BodyOf<"putContentType"> = {
  name: "Article",
  fields: [{ key: "title", type: "text", required: true }],
};

/** Creates and publishes an article. Its number decides what else happens to it. */
export async function writeArticle(client: Tradepost, name: string, number: number): Promise<void> {
  const { entries } = client;
  const key = `${name}-${number}`;
  const article = { type: ARTICLE_TYPE, slug: key, data: { title: `Article ${number}` } };
  const { id } = await entries.create(article, { idempotencyKey: key });
  await entries.publish(id, { idempotencyKey: `${key}-publish` });
  if (number % 4 === 1) await entries.unpublish(id, { idempotencyKey: `${key}-unpublish` });
  if (number % 4 === 2) await deleteOnce(client, id);
  if (number % 4 === 3) {
    await entries.unpublish(id, { idempotencyKey: `${key}-unpublish` });
    await entries.publish(id, { idempotencyKey: `${key}-republish` });
  }
}

/** If the response is lost, the next try finds nothing to delete, which is not an error. */
async function deleteOnce(client: Tradepost, id: string): Promise<void> {
  await client.entries.delete(id).catch((error: unknown) => {
    if (!(error instanceof TradepostError) || error.code !== "not_found" || error.tries === 1) throw error;
  });
}
