// Repeats a check of tenants that have lately changed something. Each check has its own loop, so that a service that does not
// respond delays only its own figures.
import { type Logger, type Repetition, repeatOrWarn } from "@tradepost/runtime";

// As many as there are connections to each service for such requests.
const CHECKS_AT_A_TIME = 4;

interface Checks extends Repetition {
  /** From now on until this time, and once afterwards. */
  readonly add: (tenantId: string, untilMs: number) => void;
}

/** `findMore` finds further tenants for each round. */
export function checkActive(options: {
  readonly check: (tenantId: string) => Promise<void>;
  readonly findMore?: () => Promise<string[]>;
  readonly everyMs: number;
  readonly logger: Logger;
}): Checks {
  const { check, findMore, everyMs, logger } = options;
  const active = new Map<string, number>();
  let isStopping = false;

  async function checkAll(): Promise<void> {
    const now = Date.now();
    const waiting = new Set([...active.keys(), ...((await findMore?.()) ?? [])]);
    for (const [tenantId, until] of active) if (until <= now) active.delete(tenantId);
    const failures: unknown[] = [];
    const checkNext = async () => {
      for (const tenantId of waiting) {
        if (isStopping) return;
        waiting.delete(tenantId);
        try {
          await check(tenantId);
        } catch (error) {
          // Even if it changes nothing any more.
          if (!active.has(tenantId)) active.set(tenantId, now);
          failures.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: CHECKS_AT_A_TIME }, checkNext));
    if (failures.length > 0)
      logger.warn({ err: failures[0], failures: failures.length }, "usage was not counted; retrying");
  }

  const checking = repeatOrWarn(logger, "usage was not counted; retrying", everyMs, async () => {
    await checkAll();
    return everyMs;
  });

  return {
    ...checking,
    add: (tenantId, untilMs) => void active.set(tenantId, Math.max(untilMs, active.get(tenantId) ?? 0)),
    stop: async () => {
      isStopping = true;
      await checking.stop();
    },
  };
}
