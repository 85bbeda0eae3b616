// The address that a request came from, for the limits on sign-in. Pure.
import type { IncomingMessage } from "node:http";

/**
 * In: the request, and how many proxies of ours stand before us. Only what they added to X-Forwarded-For is believed:
 * counted from the right, since a client may write whatever it likes on the left.
 */
export function clientAddress(req: IncomingMessage, proxyHops: number): string {
  const forwarded = String(req.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((address) => address.trim());
  const told = proxyHops === 0 ? undefined : forwarded.at(-proxyHops);
  return told || (req.socket.remoteAddress ?? "unknown");
}
