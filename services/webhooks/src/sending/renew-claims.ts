// Renews the claims of attempts that take long, so that no other process repeats an attempt whose process is alive: on a busy
// machine or with a slow database, recording an attempt may take longer than the attempt. Most attempts end before their claim must
// be renewed, and cost nothing here.
import { type Logger, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";
import type { AttemptedDelivery } from "./attempt/claimed-delivery.ts";

export interface Claims {
  /** Keeps the delivery's claim renewed until the returned function is called. */
  hold(delivery: AttemptedDelivery): () => void;
  stop(): Promise<void>;
}

// If a renewal fails, it is tried twice more before the claim expires.
const RENEWALS_PER_CLAIM = 3;
const LOOKS_PER_RENEWAL = 5;

/** `lockMs` is how long a claim lasts. A claim that cannot be renewed in this time expires, and the attempt is repeated. */
export function startRenewingClaims({
  pool,
  lockMs,
  logger,
}: {
  pool: Pool;
  lockMs: number;
  logger: Logger;
}): Claims {
  const renewAfterMs = lockMs / RENEWALS_PER_CLAIM;
  const held = new Map<object, { readonly delivery: AttemptedDelivery; readonly since: number }>();

  const renewing = repeat(async () => {
    const now = performance.now();
    const old = [...held].filter(([, { since }]) => since <= now - renewAfterMs);
    if (old.length > 0) {
      try {
        const deliveries = old.map(([, { delivery }]) => delivery);
        const { rows } = await pool.query<{ id: string }>(RENEW, valuesOf(deliveries, lockMs));
        const renewed = new Set(rows.map(({ id }) => id));
        for (const [key, { delivery }] of old) {
          if (held.has(key) && renewed.has(delivery.deliveryId)) held.set(key, { delivery, since: now });
        }
      } catch (error) {
        logger.warn({ err: error }, "claims of attempts in progress not renewed; retrying");
      }
    }
    return renewAfterMs / LOOKS_PER_RENEWAL;
  });

  return {
    hold: (delivery) => {
      const key = {};
      held.set(key, { delivery, since: performance.now() });
      return () => held.delete(key);
    },
    stop: renewing.stop,
  };
}

function valuesOf(deliveries: readonly AttemptedDelivery[], lockMs: number): unknown[] {
  return [
    deliveries.map(({ tenantId }) => tenantId),
    deliveries.map(({ deliveryId }) => deliveryId),
    deliveries.map(({ generation }) => generation),
    deliveries.map(({ attempt }) => attempt),
    lockMs,
  ];
}

// Skips locked rows: they are being settled, or a change decides about the claim. Waiting for them could deadlock.
const RENEW = `
  with held as (
    select tid
      from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[]) as held (tenant_id, delivery_id, generation, attempt)
     cross join lateral (
       select ctid as tid from deliveries
        where deliveries.tenant_id = held.tenant_id and deliveries.id = held.delivery_id
          and deliveries.generation = held.generation and deliveries.attempt_count = held.attempt - 1
          and locked_until is not null
        limit 1
          for no key update skip locked
     ) delivery
  )
  update deliveries set locked_until = now() + $5 * interval '1 ms'
    from held
   where deliveries.ctid = held.tid
  returning deliveries.id`;
