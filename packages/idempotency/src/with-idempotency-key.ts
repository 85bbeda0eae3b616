// Makes a POST take effect once under its Idempotency-Key, on whichever replica it is repeated (interface §4,
// "Idempotency").
//
// The action inserts the record of its response in its own transaction, so both commit or neither does: a crash leaves
// no key locked, and a failure leaves no record. The action runs first, and the record is looked up only after it has
// failed: a repeated request violates the record's primary key, or is refused because the first one took effect (its
// order number is taken, its order is paid). It then gets the first request's response.
import { ApiError, type ApiRequest, type ApiResponse, type IdempotencyKey } from "@tradepost/http";
import { violatedConstraint } from "@tradepost/postgres";
import {
  deleteExpiredRecord,
  findRecord,
  insertRecord,
  RECORDS_PRIMARY_KEY,
  type RecordsOfTenant,
} from "./record-store.ts";

// If a record conflicts but is not found, it has expired: it is deleted, and the action runs again.
const TRIES_MAX = 3;

/**
 * Returns the handler that runs `action`, which must insert the record for `request.idempotencyKey` with `insertRecord`
 * in the transaction of its changes, as its last statement. The action may run twice, so it must do nothing outside its
 * transaction before the commit. A repeated request gets the first one's response with `Idempotent-Replayed: true`
 * (interface §4). The route must be `isIdempotent`.
 *
 * With `looksFirst`, the record is also looked up before the action. The action may then change things before its transaction, in
 * steps that two concurrent requests may both take. If the process dies before the commit, the repeated request takes the rest.
 *
 * @throws 422 `idempotency_key_reused` if the first request had another body or path.
 */
export function withIdempotencyKey<OneTenant extends RecordsOfTenant, Body = undefined>(
  tenants: { of(tenantId: string): OneTenant },
  action: (tenant: OneTenant, request: ApiRequest<Body, undefined>) => Promise<ApiResponse>,
  { looksFirst = false }: { looksFirst?: boolean } = {},
) {
  return async (request: ApiRequest<Body, undefined>): Promise<ApiResponse> => {
    const tenant = tenants.of(request.principal.tenantId);
    const key = request.idempotencyKey;
    if (key === null) return await action(tenant, request);
    const earlier = looksFirst ? await firstResponse(tenant, key) : null;
    if (earlier !== null) return earlier;
    for (let tries = 1; ; tries += 1) {
      try {
        return await action(tenant, request);
      } catch (error) {
        request.caused.length = 0;
        const hasRecord = violatedConstraint(error) === RECORDS_PRIMARY_KEY;
        if (!hasRecord && !(error instanceof ApiError)) throw error;
        const first = await firstResponse(tenant, key);
        if (first !== null) return first;
        if (!hasRecord || tries === TRIES_MAX) throw error;
        await deleteExpiredRecord(tenant, key);
      }
    }
  };
}

interface InTransactions<Tx> extends RecordsOfTenant {
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
}

/**
 * Returns the handler of a change that is one transaction, with the record of its response. If repeated requests must get another response,
 * without a secret, `change` returns it as `repeated`.
 */
export function recording<Tx extends RecordsOfTenant, Body = undefined>(
  { tenants, onCommit }: { tenants: { of(tenantId: string): InTransactions<Tx> }; onCommit?: () => void },
  change: (
    tx: Tx,
    request: ApiRequest<Body, undefined>,
  ) => Promise<ApiResponse | { response: ApiResponse; repeated: ApiResponse }>,
) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<Body, undefined>) => {
    const response = await tenant.transaction(async (tx) => {
      const changed = await change(tx, request);
      const { response, repeated } =
        "repeated" in changed ? changed : { response: changed, repeated: changed };
      await insertRecord(tx, request.idempotencyKey, repeated);
      return response;
    });
    onCommit?.();
    return response;
  });
}

/**
 * Returns the handler of an action that changes nothing when it is repeated and inserts no record itself: the record is inserted after
 * it. If the process dies in between, the repeated request repeats the action. If the key's record has expired, the action runs twice.
 * @throws 422 `idempotency_key_reused` if the first request had another body or path.
 */
export function withKeyOfRepeatable<OneTenant extends RecordsOfTenant, Body = undefined>(
  tenants: { of(tenantId: string): OneTenant },
  action: (tenant: OneTenant, request: ApiRequest<Body, undefined>) => Promise<ApiResponse>,
) {
  const recorded = async (tenant: OneTenant, request: ApiRequest<Body, undefined>) => {
    const response = await action(tenant, request);
    await insertRecord(tenant, request.idempotencyKey, response);
    return response;
  };
  return withIdempotencyKey(tenants, recorded, { looksFirst: true });
}

async function firstResponse(tenant: RecordsOfTenant, key: IdempotencyKey): Promise<ApiResponse | null> {
  const record = await findRecord(tenant, key);
  if (record === null) return null;
  if (!record.fingerprint.equals(key.fingerprint)) {
    throw new ApiError("idempotency_key_reused", "This Idempotency-Key was used with another request.");
  }
  return { ...record.response, headers: { ...record.response.headers, "idempotent-replayed": "true" } };
}

/**
 * Signs the fingerprints of records. `sign` returns one signature of the plain fingerprint per key, the current key's first.
 * Each is tried, because an earlier key may have signed the record.
 */
export function withSignedFingerprint<Body>(
  handle: (request: ApiRequest<Body, undefined>) => Promise<ApiResponse>,
  sign: (fingerprint: Buffer, request: ApiRequest<Body, undefined>) => Iterable<Buffer>,
): (request: ApiRequest<Body, undefined>) => Promise<ApiResponse> {
  return async (request) => {
    const { idempotencyKey } = request;
    if (idempotencyKey === null) return await handle(request);
    let reused: unknown;
    for (const fingerprint of sign(idempotencyKey.fingerprint, request)) {
      try {
        return await handle({ ...request, idempotencyKey: { ...idempotencyKey, fingerprint } });
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "idempotency_key_reused")) throw error;
        reused = error;
      }
    }
    throw reused;
  };
}
