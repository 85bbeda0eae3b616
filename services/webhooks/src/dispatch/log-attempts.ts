// Keeps what every request came to, for the delivery log. What receivers answer is mostly the same again and again: a
// text is stored once for a tenant and day.
import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import type { MadeAttempt } from "./apply-transitions.ts";

// The log tells of every request that was made, even one that another settled first. Bodies are written in the order of
// their digests: two batches with the same ones would otherwise wait for each other.
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
  return createHash("sha256").update(text).digest();
}
