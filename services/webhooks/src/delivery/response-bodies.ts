// Stores the bodies of responses: each once per tenant and day, because receivers usually repeat them. The process remembers which it
// has stored.
import { hash } from "node:crypto";
import { arrayParametersOf, arraysOf, columnsOf, namedStatement, type RowColumns } from "@tradepost/postgres";
import { isNotDeleted } from "../statement-parts.ts";

interface Made {
  readonly delivery: { readonly tenantId: string };
  readonly attempt: { readonly at: Date; readonly responseBody: string | null };
}

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
    insert: insertBodies,
    /** Call it after the commit. */
    remember: (bodies: readonly ResponseBody[]): void => {
      for (const { key } of bodies) stored.add(key);
      for (const key of stored) {
        if (stored.size <= REMEMBERED_MAX) break;
        stored.delete(key);
      }
    },
  };
}

/** Returns null without a response; no bytes for an empty body, which is not stored. */
export function digestOf({ responseBody }: Made["attempt"]): Buffer | null {
  if (responseBody === null) return null;
  return responseBody === "" ? Buffer.alloc(0) : hash("sha256", responseBody, "buffer");
}

const bodyColumns: RowColumns<ResponseBody> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  digest: ["bytea", ({ digest }) => digest],
  day: ["date", ({ day }) => day],
  body: ["text", ({ body }) => body],
};

// In order: otherwise two batches with the same bodies could deadlock.
const insertBodies = namedStatement<readonly ResponseBody[]>(
  `
  insert into response_bodies (${columnsOf(bodyColumns)})
  select * from unnest(${arrayParametersOf("body", bodyColumns)}) as body (${columnsOf(bodyColumns)})
   where ${isNotDeleted("body.tenant_id")}
   order by tenant_id, digest, day
  on conflict do nothing`,
  { body: arraysOf(bodyColumns, (bodies: readonly ResponseBody[]) => bodies) },
);
