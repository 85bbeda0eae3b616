// Logs attempts and the bodies of their responses. Receivers usually repeat the same bodies, so a body is stored once per tenant
// and day, and the process remembers which bodies it has stored.

import { hash } from "node:crypto";
import type { Statement } from "@tradepost/postgres";
import { isNotDeleted } from "../../delivery/delivery.ts";
import type { AttemptedDelivery } from "../attempt/claimed-delivery.ts";
import type { Attempt } from "../attempt/send.ts";

/** Logs every request that was made, even if another process has settled its delivery, but none of a deleted tenant. */
export function insertAttempts(
  made: readonly { delivery: AttemptedDelivery; attempt: Attempt }[],
): Statement {
  return { text: `with ${madeAttempts(1)} ${INSERT_MADE_ATTEMPTS}`, values: madeValues(made) };
}

/** Returns the values of the parameters of `madeAttempts(1)`. */
export function madeValues(made: readonly { delivery: AttemptedDelivery; attempt: Attempt }[]): unknown[] {
  return [
    made.map(({ delivery }) => delivery.tenantId),
    made.map(({ delivery }) => delivery.deliveryId),
    made.map(({ delivery }) => delivery.generation),
    made.map(({ delivery }) => delivery.attempt),
    made.map(({ attempt }) => attempt.at),
    made.map(({ attempt }) => attempt.durationMs),
    made.map(({ attempt }) => attempt.outcome),
    made.map(({ attempt }) => attempt.statusCode),
    made.map(({ attempt }) => digestOf(attempt)),
    made.map(({ delivery }) => delivery.subscriptionVersion),
    made.map(({ delivery }) => delivery.subscriptionId),
  ];
}

/** Returns the common table expression `made`, with the parameters from `$first` on. */
export function madeAttempts(first: number): string {
  const parameter = (offset: number) => `$${first + offset}`;
  return `
  made as materialized (
    select * from unnest(${parameter(0)}::uuid[], ${parameter(1)}::uuid[], ${parameter(2)}::integer[], ${parameter(3)}::smallint[],
                         ${parameter(4)}::timestamptz[], ${parameter(5)}::integer[], ${parameter(6)}::text[], ${parameter(7)}::smallint[],
                         ${parameter(8)}::bytea[], ${parameter(9)}::integer[], ${parameter(10)}::uuid[])
               as made (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code, response_digest,
                        subscription_version, subscription_id)
  )`;
}

export const INSERT_MADE_ATTEMPTS = `
  insert into attempts (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code, response_digest,
                        subscription_version, subscription_id)
  select tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code, response_digest,
         subscription_version, subscription_id
    from made
   where ${isNotDeleted("made.tenant_id")}
  on conflict do nothing`;

interface ResponseBody {
  readonly key: string;
  readonly tenantId: string;
  readonly digest: Buffer;
  readonly day: string;
  readonly body: string;
}

export interface ResponseBodies {
  /** Returns the bodies of these attempts that may not be stored yet, each once. */
  missing(made: readonly { delivery: AttemptedDelivery; attempt: Attempt }[]): ResponseBody[];
  /** Call it after the commit that stored them. */
  remember(stored: readonly ResponseBody[]): void;
}

// Each takes about 100 bytes.
const REMEMBERED_MAX = 20_000;

export function createResponseBodies(): ResponseBodies {
  const stored = new Set<string>();
  return {
    missing: (made) => {
      const missing = new Map<string, ResponseBody>();
      for (const { delivery, attempt } of made) {
        const digest = digestOf(attempt);
        if (digest === null || !attempt.responseBody) continue;
        const { tenantId } = delivery;
        const day = attempt.at.toISOString().slice(0, 10);
        const key = `${tenantId} ${day} ${digest.toString("base64")}`;
        if (stored.has(key)) continue;
        missing.set(key, { key, tenantId, digest, day, body: attempt.responseBody });
      }
      return [...missing.values()];
    },
    remember: (bodies) => {
      for (const { key } of bodies) stored.add(key);
      // The oldest are forgotten first.
      for (const key of stored) {
        if (stored.size <= REMEMBERED_MAX) break;
        stored.delete(key);
      }
    },
  };
}

/** Returns null for an attempt without a response, and no bytes for an empty body, which is not stored. */
function digestOf({ responseBody }: Attempt): Buffer | null {
  if (responseBody === null) return null;
  return responseBody === "" ? Buffer.alloc(0) : hash("sha256", responseBody, "buffer");
}

export function insertBodies(bodies: readonly ResponseBody[]): Statement {
  return {
    text: INSERT_BODIES,
    values: [
      bodies.map(({ tenantId }) => tenantId),
      bodies.map(({ digest }) => digest),
      bodies.map(({ day }) => day),
      bodies.map(({ body }) => body),
    ],
  };
}

// Inserts bodies in the order of their digests: otherwise two batches with the same bodies could deadlock.
const INSERT_BODIES = `
  insert into response_bodies (tenant_id, digest, day, body)
  select * from unnest($1::uuid[], $2::bytea[], $3::date[], $4::text[]) as body (tenant_id, digest, day, body)
   where ${isNotDeleted("body.tenant_id")}
   order by tenant_id, digest, day
  on conflict do nothing`;
