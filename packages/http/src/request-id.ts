import type { IncomingMessage } from "node:http";
import { newId } from "@tradepost/runtime";

/**
 * Returns the caller's X-Request-Id if it is well-formed, else a new id. It identifies the request in all services, the outbox,
 * events and logs (interface §1).
 */
export function requestIdOf(req: IncomingMessage): string {
  const header = req.headers["x-request-id"];
  return typeof header === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : newId();
}
