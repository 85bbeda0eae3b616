// Serves tenants in turns: one bounded batch of a tenant's work, then the tenant goes to the end of the queue.
import { idleWait, type Logger, type Repetition, repeat } from "@tradepost/runtime";

export type ProcessNext = (tenantId: string, stopping: AbortSignal) => Promise<boolean>;

/**
 * Serves up to `slots` tenants at a time. `findTenants` returns tenants with work; it runs on `wake` and after a wait, which
 * grows within `waits` while it finds nothing. A failed turn is logged, and its work found again. Each replica has its own queue,
 * so `processNext` must skip work that another replica has claimed. `stop` aborts the signal and waits for the current turns.
 */
export function startRoundRobin(options: {
  name: string;
  slots: number;
  findTenants: () => Promise<readonly string[]>;
  processNext: ProcessNext;
  logger: Logger;
  waits?: Parameters<typeof idleWait>[0];
}): Repetition {
  const { name, slots, findTenants, processNext, logger } = options;
  const waitAfter = idleWait(options.waits);
  const queue = new Set<string>();
  const turns = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  const polling = repeat(async () => {
    try {
      const found = await findTenants();
      for (const tenantId of found) if (!turns.has(tenantId)) queue.add(tenantId);
      fillSlots();
      return waitAfter(found.length > 0);
    } catch (error) {
      logger.warn({ err: error, work: name }, "looking for work failed; retrying");
      return waitAfter(true);
    }
  });

  function fillSlots(): void {
    for (const tenantId of queue) {
      if (turns.size >= slots || stopping.signal.aborted) return;
      queue.delete(tenantId);
      turns.set(tenantId, takeTurn(tenantId));
    }
  }

  async function takeTurn(tenantId: string): Promise<void> {
    try {
      if (await processNext(tenantId, stopping.signal)) queue.add(tenantId);
    } catch (error) {
      if (!stopping.signal.aborted) {
        logger.warn({ err: error, work: name, tenantId }, "a tenant's turn failed; retrying");
      }
    } finally {
      turns.delete(tenantId);
      fillSlots();
    }
  }

  return {
    wake: polling.wake,
    stop: async () => {
      stopping.abort(new Error("the service is stopping"));
      await polling.stop();
      await Promise.all(turns.values());
    },
  };
}

/** A later poll finds the rest. */
export const TENANTS_FOUND_MAX = 10_000;
