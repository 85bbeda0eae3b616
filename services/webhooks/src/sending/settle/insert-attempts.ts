import type { Statement } from "@tradepost/postgres";
import { isNotDeleted } from "../../delivery/delivery.ts";
import type { AttemptedDelivery } from "../attempt/claimed-delivery.ts";
import type { Attempt } from "../attempt/send.ts";
import { digestOf } from "./response-bodies.ts";

/** Logs every request that was made, also one whose delivery another process has settled, but none of a deleted tenant. */
export function insertAttempts(
  made: readonly { delivery: AttemptedDelivery; attempt: Attempt }[],
): Statement {
  return { text: `with ${madeAttempts(1)} ${INSERT_MADE_ATTEMPTS}`, values: madeValues(made) };
}

/** The values of the parameters of `madeAttempts(1)`. */
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
  ];
}

/** The common table expression `made`, with the parameters from `$first` on. */
export function madeAttempts(first: number): string {
  const parameter = (offset: number) => `$${first + offset}`;
  return `
  made as materialized (
    select * from unnest(${parameter(0)}::uuid[], ${parameter(1)}::uuid[], ${parameter(2)}::integer[], ${parameter(3)}::smallint[],
                         ${parameter(4)}::timestamptz[], ${parameter(5)}::integer[], ${parameter(6)}::text[], ${parameter(7)}::smallint[],
                         ${parameter(8)}::bytea[], ${parameter(9)}::integer[])
               as made (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code, response_digest,
                        subscription_version)
  )`;
}

export const INSERT_MADE_ATTEMPTS = `
  insert into attempts (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code, response_digest,
                        subscription_version)
  select tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code, response_digest,
         subscription_version
    from made
   where ${isNotDeleted("made.tenant_id")}
  on conflict do nothing`;
