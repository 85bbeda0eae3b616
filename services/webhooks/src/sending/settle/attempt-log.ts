// Logs attempts and the bodies of their responses. Receivers usually repeat the same bodies, so a body is stored once per tenant
// and day, and the process remembers which bodies it has stored.
import { hash } from "node:crypto";
import { arrayParametersOf, arraysOf, columnsOf, namedStatement, type RowColumns } from "@tradepost/postgres";
import { isNotDeleted } from "../../statement-parts.ts";
import type { AttemptedDelivery } from "../attempt/claimed-delivery.ts";
import type { Attempt } from "../attempt/send.ts";

interface Made {
  readonly delivery: AttemptedDelivery;
  readonly attempt: Attempt;
}

const attemptColumns: RowColumns<Made> = {
  tenant_id: ["uuid", ({ delivery }) => delivery.tenantId],
  delivery_id: ["uuid", ({ delivery }) => delivery.deliveryId],
  generation: ["integer", ({ delivery }) => delivery.generation],
  attempt: ["smallint", ({ delivery }) => delivery.attempt],
  at: ["timestamptz", ({ attempt }) => attempt.at],
  duration_ms: ["integer", ({ attempt }) => attempt.durationMs],
  outcome: ["text", ({ attempt }) => attempt.outcome],
  status_code: ["smallint", ({ attempt }) => attempt.statusCode],
  response_digest: ["bytea", ({ attempt }) => digestOf(attempt)],
  subscription_version: ["integer", ({ delivery }) => delivery.subscriptionVersion],
  subscription_id: ["uuid", ({ delivery }) => delivery.subscriptionId],
};

/** The parameters of MADE_ATTEMPTS. */
export const madeParameters = {
  made: arraysOf<{ readonly made: readonly Made[] }, Made>(attemptColumns, ({ made }) => made),
};

export const MADE_ATTEMPTS = `
  made as materialized (
    select * from unnest(${arrayParametersOf("made", attemptColumns)}) as made (${columnsOf(attemptColumns)})
  )`;

export const INSERT_MADE_ATTEMPTS = `
  insert into attempts (${columnsOf(attemptColumns)})
  select ${columnsOf(attemptColumns)}
    from made
   where ${isNotDeleted("made.tenant_id")}
  on conflict do nothing`;

/** Every request that was made is logged, even if another process has settled its delivery, but none of a deleted tenant. */
export const insertAttempts = namedStatement(`with ${MADE_ATTEMPTS} ${INSERT_MADE_ATTEMPTS}`, madeParameters);

interface ResponseBody {
  readonly key: string;
  readonly tenantId: string;
  readonly digest: Buffer;
  readonly day: string;
  readonly body: string;
}

export type ResponseBodies = ReturnType<typeof createResponseBodies>;

// Each takes about 100 bytes.
const REMEMBERED_MAX = 20_000;

export function createResponseBodies() {
  const stored = new Set<string>();
  return {
    /** Bodies that may not be stored yet, each once. */
    missing: (made: readonly Made[]): ResponseBody[] => {
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
    /** Call it after the commit that stored them. */
    remember: (bodies: readonly ResponseBody[]): void => {
      for (const { key } of bodies) stored.add(key);
      // The oldest are forgotten first.
      for (const key of stored) {
        if (stored.size <= REMEMBERED_MAX) break;
        stored.delete(key);
      }
    },
  };
}

/** Null without a response; no bytes for an empty body, which is not stored. */
function digestOf({ responseBody }: Attempt): Buffer | null {
  if (responseBody === null) return null;
  return responseBody === "" ? Buffer.alloc(0) : hash("sha256", responseBody, "buffer");
}

const bodyColumns: RowColumns<ResponseBody> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  digest: ["bytea", ({ digest }) => digest],
  day: ["date", ({ day }) => day],
  body: ["text", ({ body }) => body],
};

// In the order of the digests: otherwise two batches with the same bodies could deadlock.
export const insertBodies = namedStatement<readonly ResponseBody[]>(
  `
  insert into response_bodies (${columnsOf(bodyColumns)})
  select * from unnest(${arrayParametersOf("body", bodyColumns)}) as body (${columnsOf(bodyColumns)})
   where ${isNotDeleted("body.tenant_id")}
   order by tenant_id, digest, day
  on conflict do nothing`,
  { body: arraysOf(bodyColumns, (bodies: readonly ResponseBody[]) => bodies) },
);
