// Runs replays: new ones at once, and in the background those that another process has left. Batches follow without a pause,
// because their deliveries wait behind live traffic.
import { idleWait, type Logger, repeatOrWarn, settlesWithin, sleep } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { advanceReplay, findWithWork } from "./advance-replay.ts";

export type Replays = ReturnType<typeof startReplays>;

const POLL_EVERY_MS_MIN = 2_000;
const LEFT_AFTER_MS = 10_000;
const TURN_MS = 5_000;
const WAIT_MS_MIN = 20;
const WAIT_MS_MAX = 2_000;

/** A lock on the subscription lets one replica at a time run a batch. */
export function startReplays(options: { db: Kysely<Tables>; onWaiting: () => void; logger: Logger }) {
  const { db, onWaiting, logger } = options;
  const running = new Map<string, Promise<void>>();
  const waitAfter = idleWait({ minMs: POLL_EVERY_MS_MIN });
  const stopping = new AbortController();

  async function advance(id: string, untilMs: number): Promise<void> {
    try {
      let waitMs = WAIT_MS_MIN;
      while (!stopping.signal.aborted && performance.now() < untilMs) {
        const progress = await advanceReplay(db, id);
        onWaiting();
        if (progress === "end") return;
        if (progress === "wait") await sleep(waitMs, stopping.signal);
        waitMs = progress === "wait" ? Math.min(2 * waitMs, WAIT_MS_MAX) : WAIT_MS_MIN;
      }
    } catch (error) {
      logger.warn({ err: error, replayId: id }, "replay interrupted; will continue");
    }
  }

  const warning = "replays were not looked for; retrying";
  const polling = repeatOrWarn(logger, warning, POLL_EVERY_MS_MIN, async () => {
    const found = await findWithWork(db, LEFT_AFTER_MS);
    for (const id of found) if (!running.has(id)) await advance(id, performance.now() + TURN_MS);
    return waitAfter(found.length > 0);
  });

  return {
    /** Returns after at most `waitMs`, while the work continues. Never throws. */
    run: async (id: string, waitMs: number): Promise<void> => {
      const work = advance(id, Number.POSITIVE_INFINITY).finally(() => running.delete(id));
      running.set(id, work);
      await settlesWithin(work, waitMs);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([polling.stop(), ...running.values()]);
    },
  };
}
