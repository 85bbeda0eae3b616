// Fingerprints of bodies that may have secrets: the database gets no plain hash of one (interface §4).
import { ApiError, type ApiRequest, type ApiResponse } from "@tradepost/http";

/**
 * Wraps a handler of `withIdempotencyKey` so that a record has a signed fingerprint. `sign` returns the signatures of the plain one by
 * each key, the current key's first: while keys rotate, a record may have been signed with an earlier one, so each is tried.
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
