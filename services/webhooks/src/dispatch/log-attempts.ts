// Writes attempts to the delivery log. Receivers mostly send the same response bodies again and again, so a body is stored once
// for a tenant and day.
import { hash } from "node:crypto";
import type { PoolClient } from "pg";
import type { MadeAttempt } from "./apply-transitions.ts";

/** Logs every request that was made, also one whose delivery another process has settled. */
export async function logAttempts(client: PoolClient, made: readonly MadeAttempt[]): Promise<void> {
  await client.query(LOG_ATTEMPTS, [
    made.map(({ delivery }) => delivery.tenantId),
    made.map(({ delivery }) => delivery.deliveryId),
    made.map(({ delivery }) => delivery.generation),
    made.map(({ delivery }) => delivery.attempt),
    made.map(({ attempt }) => attempt.at),
    made.map(({ attempt }) => attempt.durationMs),
    made.map(({ attempt }) => attempt.outcome),
    made.map(({ attempt }) => attempt.statusCode),
    made.map(({ attempt }) => attempt.responseBody),
    made.map(({ attempt }) => attempt.responseBody && sha256(attempt.responseBody)),
  ]);
}

function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

// Bodies are inserted in the order of their digests: otherwise two batches with the same bodies would deadlock.
const LOG_ATTEMPTS = `
  with made as (
    select * from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::smallint[], $5::timestamptz[], $6::integer[],
                         $7::text[], $8::smallint[], $9::text[], $10::bytea[])
               as made (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code, body, digest)
  ), bodies as (
    insert into response_bodies (tenant_id, digest, day, body)
    select distinct tenant_id, digest, (at at time zone 'utc')::date as day, body
      from made
     where digest is not null
     order by tenant_id, digest, day
    on conflict do nothing
  )
  insert into attempts (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code,
                        response_digest)
  select tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code, digest from made
  on conflict do nothing`;
