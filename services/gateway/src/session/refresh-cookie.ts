// The cookie that carries a session's refresh secret: sent back to /v1/auth alone, and out of scripts' reach. Pure.
import type { IncomingMessage } from "node:http";
import { type OpenedSession, SESSION_DAYS } from "./session-store.ts";

const NAME = "tradepost_refresh";

/** The Set-Cookie header that keeps the session. */
export function keepCookie({ id, refreshSecret }: OpenedSession, req: IncomingMessage): string {
  return cookie(`${id}.${refreshSecret}`, SESSION_DAYS * 24 * 3600, req);
}

/** The Set-Cookie header that forgets it. */
export function forgetCookie(req: IncomingMessage): string {
  return cookie("", 0, req);
}

/** The session that a request's cookie names, or null where there is none or it is malformed. */
export function readCookie(req: IncomingMessage): OpenedSession | null {
  const [, id, refreshSecret] =
    new RegExp(`(?:^|;\\s*)${NAME}=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.([\\w-]{43})(?:;|$)`).exec(
      req.headers.cookie ?? "",
    ) ?? [];
  return id === undefined || refreshSecret === undefined ? null : { id, refreshSecret };
}

function cookie(value: string, maxAgeSeconds: number, req: IncomingMessage): string {
  const attributes = ["Path=/v1/auth", "HttpOnly", "SameSite=Strict", `Max-Age=${maxAgeSeconds}`];
  return [`${NAME}=${value}`, ...attributes, ...(isLoopback(req.headers.host) ? [] : ["Secure"])].join("; ");
}

// A browser does not keep a Secure cookie of http://localhost everywhere; there it never leaves the machine.
function isLoopback(host: string | undefined): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host ?? "");
}
