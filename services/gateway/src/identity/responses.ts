// Responses of identity: POSTs take effect once under their Idempotency-Key (interface §1, §4), and no cache stores a secret. A
// body may have a password, so its fingerprint is signed.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import { insertRecord, withIdempotencyKey, withSignedFingerprint } from "@tradepost/idempotency";
import { tenantOf } from "@tradepost/postgres";
import type { Tenant } from "../tables.ts";
import type { IdentityContext } from "./context.ts";

export const NO_STORE = { "cache-control": "no-store" };

/** Neither a cache nor the next page gets a code or token in the address. */
export function redirect(location: string, cookies: readonly string[] = []): ApiResponse {
  const headers = { ...NO_STORE, "referrer-policy": "no-referrer", location };
  return { status: 302, headers, cookies, bytes: Buffer.alloc(0) };
}

/**
 * `action` stores its response with `respondOnce`, last in its transaction. With `isPerActor`, the same key and body from another
 * user are another request, which gets 422.
 */
export function idempotent<Body>(
  { db, fingerprintSigners }: IdentityContext,
  action: (tenant: Tenant, request: ApiRequest<Body, undefined>) => Promise<ApiResponse>,
  { isPerActor = false } = {},
) {
  // A repeated request must not count as a wrong password: the first one changed the password.
  const looksFirst = isPerActor;
  const handle = withIdempotencyKey({ of: (tenantId) => tenantOf(db, tenantId) }, action, { looksFirst });
  return withSignedFingerprint(handle, (fingerprint, { principal }) => {
    const plain = fingerprint.toString("hex");
    const message = isPerActor ? `${principal.actor.id} ${plain}` : plain;
    return fingerprintSigners.map(({ sign }) => sign(message));
  });
}

/** A repeated request gets the stored response, with `hidden` in place of secrets. */
export async function respondOnce(
  tx: Tenant,
  { idempotencyKey }: Pick<ApiRequest<unknown, unknown>, "idempotencyKey">,
  response: ApiResponse & { readonly body?: unknown },
  hidden: Record<string, unknown> = {},
): Promise<ApiResponse> {
  const body = response.body as { readonly data: object };
  await insertRecord(tx, idempotencyKey, {
    ...response,
    body: { ...body, data: { ...body.data, ...hidden } },
  });
  return response;
}
