// The options of one request. Each may be undefined, so that a program can pass its own options on.

export interface CallOptions {
  /** Also ends the waits between its tries. */
  readonly signal?: AbortSignal | undefined;
  /** The longest duration of one try, in ms; by default the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** The longest duration of all tries together, in ms; by default the client's `deadlineMs`. */
  readonly deadlineMs?: number | undefined;
  /** The `X-Request-Id`, which appears in the platform's logs and events: 1 to 128 of `A-Z a-z 0-9 . _ -`. */
  readonly requestId?: string | undefined;
}

export interface WithKey {
  /** The change takes effect once however often it is sent. By default each request has a random key. */
  readonly idempotencyKey?: string | undefined;
}

/** An option of requests that change a resource with a version. */
export interface WithIfMatch {
  /** If the resource has another version, the request fails with `version_mismatch`. */
  readonly ifMatch?: number | string | undefined;
}

/** An option of requests that read a resource with a version. */
export interface WithIfNoneMatch {
  /** If this is still the resource's `version`, the response is a 304 without data. */
  readonly ifNoneMatch?: number | string | undefined;
}

export type AnyCallOptions = CallOptions & WithKey & WithIfMatch & WithIfNoneMatch;
