// Repeats a check of tenants that have lately changed something, many at a time. A tenant without a difference is checked less and less
// often. Each check has its own loop, so that a service that does not respond delays only its own figures.
import { type Logger, repeatOnDemand } from "@tradepost/runtime";

interface Activity {
  readonly untilMs: number;
  /** How many rounds pass after a check that finds no difference. */
  pause: number;
  roundsLeft: number;
}

/** `check` resolves with the tenants for which it found a difference. Without active tenants no round takes place. */
export function checkActive(options: {
  readonly check: (tenantIds: readonly string[]) => Promise<readonly string[]>;
  readonly tenantsMax: number;
  readonly everyMs: number;
  readonly logger: Logger;
}) {
  const { check, tenantsMax, everyMs, logger } = options;
  const active = new Map<string, Activity>();
  let isStopping = false;

  async function checkDue(): Promise<void> {
    const now = Date.now();
    const due: [string, Activity][] = [];
    for (const [tenantId, one] of active) {
      if (one.roundsLeft === 0 || one.untilMs <= now) due.push([tenantId, one]);
      else one.roundsLeft -= 1;
    }
    const failures: unknown[] = [];
    for (let start = 0; start < due.length && !isStopping; start += tenantsMax) {
      const some = due.slice(start, start + tenantsMax);
      try {
        const different = new Set(await check(some.map(([tenantId]) => tenantId)));
        for (const [tenantId, one] of some) {
          // The tenant has changed something meanwhile.
          if (active.get(tenantId) !== one) continue;
          if (one.untilMs <= now) active.delete(tenantId);
          one.roundsLeft = different.has(tenantId) ? 0 : one.pause;
          one.pause = different.has(tenantId) ? 1 : 2 * one.pause + 1;
        }
      } catch (error) {
        // These tenants stay until a check succeeds, even if they change nothing any more.
        failures.push(error);
      }
    }
    if (failures.length > 0)
      logger.warn({ err: failures[0], failures: failures.length }, "usage was not counted; retrying");
  }

  const checking = repeatOnDemand(logger, "usage was not counted; retrying", everyMs, {
    hasWork: () => active.size > 0,
    run: async () => {
      await checkDue();
      return everyMs;
    },
  });

  return {
    /** Checks the tenant from the next round on until this time, and once afterwards. */
    add: (tenantId: string, untilMs: number): void => {
      const known = active.get(tenantId);
      active.set(tenantId, { untilMs: Math.max(untilMs, known?.untilMs ?? 0), pause: 1, roundsLeft: 0 });
      checking.begin();
    },
    stop: async () => {
      isStopping = true;
      await checking.stop();
    },
  };
}
