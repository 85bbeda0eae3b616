import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { newId } from "@tradepost/runtime";
import type { Principal } from "./principal.ts";

export interface RequestContext {
  readonly req: IncomingMessage;
  readonly requestId: string;
  readonly traceparent: string;
  /** Sent whatever the status, such as `RateLimit-Remaining`. */
  readonly responseHeaders: Record<string, string>;
  /** Runs `action` once the response was written or its connection closed, with the size of the body before compression. */
  readonly atEnd: (action: (responseBytes: number) => void) => void;
  /** Names a request outside the route table in metrics and logs. */
  route?: string;
  /** How long a service worked on a heavy response, in ms (interface §2). */
  workMs?: number;
  /** The ids of the events that the request has added. */
  readonly caused: string[];
  /** Set after authentication, by the gateway before it applies the caller's limits. */
  principal?: Principal;
  /** Set if the credential covers the body. Throws 401 for other bytes. */
  checkBody?: (bytes: Buffer) => void;
}

/**
 * The gateway checks credentials, a service the gateway's signature.
 *
 * @throws 401 `unauthorized`.
 */
export type Identify = (
  context: Pick<RequestContext, "req" | "responseHeaders" | "atEnd" | "checkBody" | "principal" | "workMs">,
) => Principal | Promise<Principal>;

/** Returns the caller's X-Request-Id if it is well-formed, else a new id (interface §1). */
export function requestIdOf(req: IncomingMessage): string {
  const header = req.headers["x-request-id"];
  return typeof header === "string" && isRequestId(header) ? header : newId();
}

export function isRequestId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,128}$/.test(text);
}

export type EndOfWait = ReturnType<typeof endOfWait>;

/** Starts a wait of at most `ms` (interface §10 and §12). It ends early when the client disconnects or the service stops. */
export function endOfWait(ms: number, socket: Socket, stopping: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isReached = false;
  const end = () => {
    isReached = true;
    resolve();
  };
  const timer = setTimeout(end, ms);
  socket.once("close", end);
  stopping.addEventListener("abort", end);
  if (stopping.aborted || socket.destroyed) end();
  return {
    reached: promise,
    isReached: () => isReached,
    /** Call it after every wait. */
    release: () => {
      clearTimeout(timer);
      socket.off("close", end);
      stopping.removeEventListener("abort", end);
    },
  };
}
