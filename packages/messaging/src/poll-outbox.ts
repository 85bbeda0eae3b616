// Decides when the relay reads its outbox again.
import { backoff, idleWait, type Repetition, repeat, sleep } from "@tradepost/runtime";
import type { Published } from "./publish-shards.ts";

// The wait between polls while events wait for a retry, for another relay or for the broker.
const WAITING_BACKOFF = { minMs: 10, maxMs: 1_000 };
// Under load a batch waits for more events, because a large batch costs little more than one event. It waits 1 ms for each event of
// the previous batch except one, so after a batch of one event it does not wait.
const LINGER_MAX_MS = 10;

/**
 * Calls `publish` until stopped: at once while a shard has more events, with a backoff while events wait, otherwise each second, or
 * less often the longer there are no events.
 */
export function startPolling(publish: () => Promise<Published>): Repetition {
  const waitAfter = idleWait();
  let waitCount = 0;
  let lingerUntil = 0;
  return repeat(async () => {
    const lingerMs = lingerUntil - performance.now();
    if (lingerMs > 0) await sleep(lingerMs);
    const { publishedCount, hasMore, hasWaiting } = await publish();
    lingerUntil = hasMore ? 0 : performance.now() + Math.min(publishedCount - 1, LINGER_MAX_MS);
    waitCount = hasWaiting && publishedCount === 0 ? waitCount + 1 : 0;
    if (hasMore) return 0;
    return hasWaiting ? backoff(waitCount, WAITING_BACKOFF) : waitAfter(publishedCount > 0);
  });
}
