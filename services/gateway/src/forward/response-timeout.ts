// Limits how long a service may take to begin its response to a streamed body. undici's own timeout does not run while a
// body is being sent.
import { errors } from "undici";

export interface ResponseTimeout {
  /** Options for undici's request. */
  readonly options: { readonly headersTimeout: 0; readonly signal: AbortSignal };
  /** Starts the timeout, once the service has received everything that is sent to it. */
  start(): void;
  /** Stops the timeout, once the response has begun or the request has failed. */
  stop(): void;
}

export function responseTimeout(timeoutMs: number): ResponseTimeout {
  const aborter = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  return {
    options: { headersTimeout: 0, signal: aborter.signal },
    start: () => {
      if (!isOver) timer = setTimeout(() => aborter.abort(new errors.HeadersTimeoutError()), timeoutMs);
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
