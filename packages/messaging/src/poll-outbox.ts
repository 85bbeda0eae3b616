// Decides when the relay reads its outbox again, and from which shards it publishes.
import { backoff, idleWait, lingerMs, repeat, sleep } from "@tradepost/runtime";
import type { startFirstEvents } from "./first-events.ts";
import { type Published, publishShards, SHARD_COUNT, type ShardsContext } from "./publish-shards.ts";
import { beginReplay } from "./replay.ts";

interface Options {
  readonly isUp: () => boolean;
  readonly onReplay: () => void;
  readonly onPublished: (count: number) => void;
  readonly first: Pick<ReturnType<typeof startFirstEvents>, "move" | "settle">;
}

interface OutboxState {
  readonly hasReplay: boolean;
  readonly hasBegun: boolean;
  readonly shards: number[];
}

const ALL_SHARDS = Array.from({ length: SHARD_COUNT }, (_, shard) => shard);
const NONE: Published = { publishedCount: 0, hasMore: false, hasWaiting: true };
const EMPTY: OutboxState = { hasReplay: false, hasBegun: true, shards: [] };
const READ_STATE_EVERY_MS = 1_000;
// The wait between polls while events wait for a retry, for another relay or for the broker.
const WAITING_BACKOFF = { minMs: 10, maxMs: 1_000 };

/**
 * Publishes events until stopped: at once when woken and while a shard has more, with a backoff while events wait, otherwise each
 * second, or less often the longer there are no events.
 */
export function startPolling(relay: ShardsContext, options: Options) {
  const waitAfter = idleWait();
  let isWoken = false;
  let isReplaying = false;
  let hasBacklog = false;
  let readStateAt = 0;
  let waitCount = 0;
  let lingerUntil = 0;

  const polling = repeat(async (isStopping) => {
    const waitMs = lingerUntil - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const isAnnounced = isWoken;
    const { publishedCount, hasMore, hasWaiting } = await publishPending(isStopping);
    options.onPublished(publishedCount);
    hasBacklog = hasMore;
    lingerUntil = hasMore ? 0 : performance.now() + lingerMs(publishedCount);
    waitCount = hasWaiting && publishedCount === 0 ? waitCount + 1 : 0;
    if (hasMore) return 0;
    return hasWaiting ? backoff(waitCount, WAITING_BACKOFF) : waitAfter(publishedCount > 0 && !isAnnounced);
  });

  async function publishPending(isStopping: () => boolean): Promise<Published> {
    if (!options.isUp()) return NONE;
    try {
      // A wake already says that there is an event, so under load the state is read once a second.
      const isStateKnown = isWoken && !hasBacklog && performance.now() < readStateAt;
      isWoken = false;
      // Until first events are moved, later events of their aggregates wait.
      await options.first.move();
      const shards = isStateKnown ? ALL_SHARDS : await readState();
      if (shards.length === 0) return { ...NONE, hasWaiting: false };
      // For a few events, one transaction for all shards is the cheapest.
      if (!hasBacklog) return await publishShards(shards, relay);
      return total(await Promise.all(shards.map((shard) => drainShard(shard, relay, isStopping))));
    } catch (error) {
      relay.logger.warn({ err: error }, "the relay could not read the outbox; retrying");
      return NONE;
    }
  }

  /** Begins the recorded replay, if there is one. Returns the shards with events. */
  async function readState(): Promise<readonly number[]> {
    const { rows } = await relay.pool.query<OutboxState>(READ_STATE, [ALL_SHARDS]);
    const [{ hasReplay, hasBegun, shards } = EMPTY] = rows;
    readStateAt = performance.now() + READ_STATE_EVERY_MS;
    if (hasReplay && !hasBegun) await options.first.settle().then(() => beginReplay(relay));
    if (hasReplay && !isReplaying) options.onReplay();
    isReplaying = hasReplay;
    return shards;
  }

  return {
    wake: () => {
      isWoken = true;
      polling.wake();
    },
    /** Makes the next poll begin a replay that was recorded. */
    readState: () => {
      readStateAt = 0;
      polling.wake();
    },
    isReplaying: () => isReplaying,
    /** Whether some shard had more rows than fit into a batch. */
    hasBacklog: () => hasBacklog,
    stop: polling.stop,
  };
}

// `limit 1` in a subselect, because Postgres may turn `exists` into a join that reads the whole index.
const READ_STATE = `
  select exists (select 1 from replay) as "hasReplay",
         not exists (select 1 from replay where begun_until is distinct from until) as "hasBegun",
         array(select shard from unnest($1::smallint[]) as each (shard)
                where (select true from outbox
                        where outbox.shard = each.shard and parked_at is null limit 1)) as shards`;

const BATCHES_PER_DRAIN = 10;

/** Drains one shard, so that its events are published while another shard's are claimed. */
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
