// Renews the claims of attempts that take long, so that no other process repeats them while their process is alive.
import { type Logger, repeatOnDemand } from "@tradepost/runtime";
import type { Pool } from "pg";
import { claims } from "../delivery/delivery.ts";

export type Claims = ReturnType<typeof startRenewingClaims>;

// A failed renewal is tried twice more before the claim expires.
const RENEWALS_PER_CLAIM = 3;
const LOOKS_PER_RENEWAL = 5;

export function startRenewingClaims(options: { pool: Pool; lockMs: number; logger: Logger }) {
  const { pool, lockMs, logger } = options;
  const renewAfterMs = lockMs / RENEWALS_PER_CLAIM;
  const held = new Set<{ readonly delivery: claims.AttemptedDelivery; since: number }>();

  const lookAfterMs = renewAfterMs / LOOKS_PER_RENEWAL;
  const warning = "claims of attempts in progress not renewed; retrying";
  const renewing = repeatOnDemand(logger, warning, lookAfterMs, {
    hasWork: () => held.size > 0,
    run: renewOld,
  });

  async function renewOld(): Promise<number> {
    const now = performance.now();
    const old = [...held].filter(({ since }) => since <= now - renewAfterMs);
    if (old.length === 0) return lookAfterMs;
    const deliveries = old.map(({ delivery }) => delivery);
    const renewed = await claims.renew(pool, deliveries, lockMs);
    for (const one of old) {
      if (renewed.has(one.delivery.deliveryId)) one.since = now;
    }
    return lookAfterMs;
  }

  return {
    hold: (delivery: claims.AttemptedDelivery) => {
      const one = { delivery, since: performance.now() };
      held.add(one);
      renewing.begin();
      return () => held.delete(one);
    },
    stop: renewing.stop,
  };
}
