// Lets a POST act once under its Idempotency-Key, however often it comes and wherever (contract §4, "Idempotency").
//
// Whoever acts inserts the record of its answer in the transaction of the act, so both commit or neither does: a crash
// leaves no key held, and a failure leaves no record. A twin that acts at the same moment meets the first one's record
// (or its effects, which look like a refusal), is rolled back, and gets the first one's answer.
import { ApiError, type ApiRequest, type ApiResponse, type IdempotencyKey } from "@tradepost/http";
import { type TenantDatabase, type TenantDatabases, violatedConstraint } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";
import { ANSWERED_ALREADY, findRecord, forgetRecord } from "./record-store.ts";

type Act<Body> = (
  tenant: TenantDatabase<Tables>,
  request: ApiRequest<Body, undefined>,
) => Promise<ApiResponse>;

// A record in the way that cannot be found has expired; once forgotten it is in nobody's way.
const TRIES_MAX = 3;

/**
 * In: an act that inserts the record for `request.idempotencyKey`, where there is one, together with what it does.
 * Out: the handler that answers with the act's answer, or with the first one's and `Idempotent-Replayed: true`.
 * Throws 422 `idempotency_key_reused` where the first request was another.
 */
export function once<Body>(tenants: TenantDatabases<Tables>, act: Act<Body>) {
  return async (request: ApiRequest<Body, undefined>): Promise<ApiResponse> => {
    const tenant = tenants.of(request.principal.tenantId);
    const key = request.idempotencyKey;
    if (key === null) return await act(tenant, request);
    for (let tries = 1; ; tries += 1) {
      try {
        return await act(tenant, request);
      } catch (error) {
        const isAnsweredAlready = violatedConstraint(error) === ANSWERED_ALREADY;
        if (!isAnsweredAlready && !(error instanceof ApiError)) throw error;
        const first = await firstAnswer(tenant, key);
        if (first !== null) return first;
        if (!isAnsweredAlready || tries === TRIES_MAX) throw error;
        await forgetRecord(tenant, key);
      }
    }
  };
}

async function firstAnswer(tenant: TenantDatabase<Tables>, key: IdempotencyKey): Promise<ApiResponse | null> {
  const record = await findRecord(tenant, key);
  if (record === null) return null;
  if (!record.fingerprint.equals(key.fingerprint)) {
    throw new ApiError("idempotency_key_reused", "This Idempotency-Key was used with another request.");
  }
  return { ...record.answer, headers: { ...record.answer.headers, "idempotent-replayed": "true" } };
}
