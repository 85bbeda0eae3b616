// Has tenants take turns at work that waits in the database: each gets one piece done, then stands at the end of the line,
// however much more it has. Images and due entries are worked off this way.
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";

/** Does one bounded piece of a tenant's work. Out: false where there was none to do. */
export type TakeTurn = (tenantId: string, stopping: AbortSignal) => Promise<boolean>;

/**
 * In: how many tenants are served at a time, each once; `findTenants`, who says which of them have work that can be done
 * now; how often that is asked, for what nobody woke it for. What fails is logged and found again by the next look. Every
 * replica has a line of its own: `takeTurn` must pass over what another has in hand. `stop` aborts the signal and waits
 * for the turns under way.
 */
export function startTurns(options: {
  what: string;
  slots: number;
  lookEveryMs: number;
  findTenants: () => Promise<readonly string[]>;
  takeTurn: TakeTurn;
  logger: Logger;
}): Repetition {
  const { what, slots, lookEveryMs, findTenants, takeTurn, logger } = options;
  // A Set keeps the order in which its members came.
  const line = new Set<string>();
  const served = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  const looking = repeat(async () => {
    try {
      for (const tenantId of await findTenants()) if (!served.has(tenantId)) line.add(tenantId);
      fillSlots();
    } catch (error) {
      logger.warn({ err: error, what }, "work could not be looked for; trying again");
    }
    return lookEveryMs;
  });

  function fillSlots(): void {
    for (const tenantId of line) {
      if (served.size >= slots || stopping.signal.aborted) return;
      line.delete(tenantId);
      served.set(tenantId, serve(tenantId));
    }
  }

  async function serve(tenantId: string): Promise<void> {
    try {
      if (await takeTurn(tenantId, stopping.signal)) line.add(tenantId);
    } catch (error) {
      if (!stopping.signal.aborted) logger.warn({ err: error, what, tenantId }, "turn failed; trying again");
    } finally {
      served.delete(tenantId);
      fillSlots();
    }
  }

  return {
    wake: looking.wake,
    stop: async () => {
      stopping.abort(new Error("the service stops"));
      await looking.stop();
      await Promise.all(served.values());
    },
  };
}

/** Where more wait than this, the rest is found once some of them are done. */
export const TENANTS_FOUND_MAX = 10_000;
