// Signs the fingerprints of bodies that may have secrets: the database never gets the plain hash of one (interface §4).
import { ApiError, type ApiRequest, type ApiResponse } from "@tradepost/http";

/**
 * Wraps a handler of `withIdempotencyKey` so that its records have signed fingerprints. `sign` returns one signature of the plain
 * fingerprint per key, the current key's first. Each is tried, because an earlier key may have signed the record.
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
