// A request while it is handled, and the function that authenticates it.
import type { IncomingMessage } from "node:http";
import type { Principal } from "./principal.ts";

/** A request while it is handled. */
export interface RequestContext {
  readonly req: IncomingMessage;
  readonly requestId: string;
  readonly traceparent: string;
  /** Headers of the response, whatever its status (`RateLimit-Remaining`). */
  readonly responseHeaders: Record<string, string>;
  /**
   * Runs `action` once, when the response has been written or its connection has closed. `responseBytes` is the size of its
   * body before compression, as far as it was written.
   */
  readonly atEnd: (action: (responseBytes: number) => void) => void;
  /** The label in metrics and log of a request without a route of the table; `unrouted` by default. */
  route?: string;
  /** Set after authentication, for the log. */
  principal?: Principal;
  /** Set by authentication if the credential covers the body. Throws 401 unless `bytes` are what it covers. */
  checkBody?: (bytes: Buffer) => void;
}

/**
 * Authenticates a request. The gateway checks credentials; a service checks the gateway's signature.
 *
 * @throws 401 `unauthorized`.
 */
export type Identify = (
  context: Pick<RequestContext, "req" | "responseHeaders" | "atEnd" | "checkBody">,
) => Principal | Promise<Principal>;
