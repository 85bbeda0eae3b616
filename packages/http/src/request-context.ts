// The state of a request while it is handled, and the function type that authenticates it.
import type { IncomingMessage } from "node:http";
import type { Principal } from "./principal.ts";

/** The state of a request while it is handled. */
export interface RequestContext {
  readonly req: IncomingMessage;
  readonly requestId: string;
  readonly traceparent: string;
  /** Headers of the response, whatever its status, such as `RateLimit-Remaining`. */
  readonly responseHeaders: Record<string, string>;
  /**
   * Runs `action` once, after the response was written or its connection closed. `responseBytes` is the size of the body that was
   * written, before compression.
   */
  readonly atEnd: (action: (responseBytes: number) => void) => void;
  /** Names a request outside the route table in metrics and logs; `unrouted` by default. */
  route?: string;
  /** The time that a service worked on a heavy response, in ms; undefined for other responses (interface §2). */
  workMs?: number;
  /** Set after authentication, for the log; by the gateway before it applies the caller's limits. */
  principal?: Principal;
  /** Set by authentication if the credential covers the body. Throws 401 if `bytes` are not the covered body. */
  checkBody?: (bytes: Buffer) => void;
}

/**
 * Authenticates a request. The gateway checks credentials; a service checks the gateway's signature.
 *
 * @throws 401 `unauthorized`.
 */
export type Identify = (
  context: Pick<RequestContext, "req" | "responseHeaders" | "atEnd" | "checkBody" | "principal" | "workMs">,
) => Principal | Promise<Principal>;
