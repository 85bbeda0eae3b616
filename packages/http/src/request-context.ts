// One request on its way to an answer, and the function that establishes who sent it.
import type { IncomingMessage } from "node:http";
import type { Principal } from "./principal.ts";

export interface RequestContext {
  readonly req: IncomingMessage;
  readonly requestId: string;
  readonly traceparent: string;
  /** Headers that go out with the answer, whatever it will be (`RateLimit-Remaining`). */
  readonly responseHeaders: Record<string, string>;
  /** Runs `act` once, when the response has been written or cut off. */
  readonly atEnd: (act: () => void) => void;
  /** Set once the caller is established, for the log. */
  principal?: Principal;
}

/** Establishes the caller or throws 401 `unauthorized`. The gateway's reads credentials, a service's the signature. */
export type Identify = (
  context: Pick<RequestContext, "req" | "responseHeaders" | "atEnd">,
) => Principal | Promise<Principal>;
