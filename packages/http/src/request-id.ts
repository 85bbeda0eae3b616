// The id that ties one call together across services, outbox, event and logs (contract §1).
import type { IncomingMessage } from "node:http";
import { newId } from "@tradepost/runtime";

/** The caller's X-Request-Id where it is well-formed, else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers["x-request-id"];
  return typeof given === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newId();
}
