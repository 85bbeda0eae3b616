// What can be set for one request. Each may be undefined, so that options can be passed on as they are.

/** For every request. */
export interface CallOptions {
  /** Ends the request, and the waits between its tries. */
  readonly signal?: AbortSignal | undefined;
  /** The longest time of one try, in place of the client's. */
  readonly timeoutMs?: number | undefined;
  /** The longest time of all tries, in place of the client's. */
  readonly deadlineMs?: number | undefined;
  /** The `X-Request-Id`, which the platform's logs and events show: 1 to 128 of `A-Z a-z 0-9 . _ -`. */
  readonly requestId?: string | undefined;
}

/** For requests that honour an `Idempotency-Key`. */
export interface WithKey {
  /** Names the change, which happens once however often it is sent. Without it the client makes a random one for the call. */
  readonly idempotencyKey?: string | undefined;
}

/** For requests that change a resource with a version. */
export interface WithIfMatch {
  /** Changes the resource only if this is its `version`; otherwise the error's code is `version_mismatch`. */
  readonly ifMatch?: number | string | undefined;
}

/** For requests that read a resource with a version. */
export interface WithIfNoneMatch {
  /** Responds with status 304 and without data if this is the current `version`. */
  readonly ifNoneMatch?: number | string | undefined;
}

export type AnyCallOptions = CallOptions & WithKey & WithIfMatch & WithIfNoneMatch;
