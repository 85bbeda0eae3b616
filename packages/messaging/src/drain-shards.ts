// Publishes a backlog in many batches.
import { type Published, publishShards, type ShardsContext } from "./publish-shards.ts";

// After this many batches the relay reads the outbox's state again.
const BATCHES_PER_DRAIN = 10;

/** Drains each shard by itself, so that one shard's events are published while another's are claimed. */
export async function drainShards(
  shards: readonly number[],
  relay: ShardsContext,
  isStopping: () => boolean,
): Promise<Published> {
  return total(await Promise.all(shards.map((shard) => drainShard(shard, relay, isStopping))));
}

async function drainShard(
  shard: number,
  relay: ShardsContext,
  isStopping: () => boolean,
): Promise<Published> {
  const batches: Published[] = [];
  for (let batch = 0; batch < BATCHES_PER_DRAIN && !isStopping(); batch += 1) {
    const published = await publishShards([shard], relay);
    batches.push(published);
    if (!published.hasMore) break;
  }
  return { ...total(batches), hasMore: batches.at(-1)?.hasMore ?? false };
}

function total(parts: readonly Published[]): Published {
  return {
    publishedCount: parts.reduce((sum, { publishedCount }) => sum + publishedCount, 0),
    hasMore: parts.some(({ hasMore }) => hasMore),
    hasWaiting: parts.some(({ hasWaiting }) => hasWaiting),
  };
}
