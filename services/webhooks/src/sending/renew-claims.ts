// Renews the claims of attempts that take long, so that no other process repeats an attempt whose process is alive: on a busy machine
// recording may take longer than the attempt.
import { type RowColumns, rowsAs, toStatement } from "@tradepost/postgres";
import { type Logger, repeatOrWarn } from "@tradepost/runtime";
import { sql } from "kysely";
import type { Pool } from "pg";
import type { AttemptedDelivery } from "./attempt/claimed-delivery.ts";

export interface Claims {
  /** Until the returned function is called. */
  hold(delivery: AttemptedDelivery): () => void;
  stop(): Promise<void>;
}

// If a renewal fails, it is tried twice more before the claim expires.
const RENEWALS_PER_CLAIM = 3;
const LOOKS_PER_RENEWAL = 5;

export function startRenewingClaims(options: { pool: Pool; lockMs: number; logger: Logger }): Claims {
  const { pool, lockMs, logger } = options;
  const renewAfterMs = lockMs / RENEWALS_PER_CLAIM;
  const held = new Map<object, { readonly delivery: AttemptedDelivery; readonly since: number }>();

  const lookAfterMs = renewAfterMs / LOOKS_PER_RENEWAL;
  const warning = "claims of attempts in progress not renewed; retrying";
  const renewing = repeatOrWarn(logger, warning, lookAfterMs, async () => {
    const now = performance.now();
    const old = [...held].filter(([, { since }]) => since <= now - renewAfterMs);
    if (old.length === 0) return lookAfterMs;
    const deliveries = old.map(([, { delivery }]) => delivery);
    const { rows } = await pool.query<{ id: string }>(renew(deliveries, lockMs));
    const renewed = new Set(rows.map(({ id }) => id));
    for (const [key, { delivery }] of old) {
      if (held.has(key) && renewed.has(delivery.deliveryId)) held.set(key, { delivery, since: now });
    }
    return lookAfterMs;
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

const heldColumns: RowColumns<AttemptedDelivery> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  delivery_id: ["uuid", ({ deliveryId }) => deliveryId],
  generation: ["integer", ({ generation }) => generation],
  attempt: ["integer", ({ attempt }) => attempt],
};

// Skips locked rows: they are being settled, or a change decides about the claim. Waiting for them could deadlock.
const renew = (deliveries: readonly AttemptedDelivery[], lockMs: number) =>
  toStatement(sql`
  with held as (
    select tid
      from ${rowsAs("held", heldColumns, deliveries)}
     cross join lateral (
       select ctid as tid from deliveries
        where deliveries.tenant_id = held.tenant_id and deliveries.id = held.delivery_id
          and deliveries.generation = held.generation and deliveries.attempt_count = held.attempt - 1
          and locked_until is not null
        limit 1
          for no key update skip locked
     ) delivery
  )
  update deliveries set locked_until = now() + ${lockMs} * interval '1 ms'
    from held
   where deliveries.ctid = held.tid
  returning deliveries.id`);
