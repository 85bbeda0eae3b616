// Where a request comes from: the address and the user agent that sign-in limits, sessions and the audit log go by. Pure.
import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";

export interface Client {
  /** The canonical form of the address; an IPv4-mapped IPv6 address reads as the IPv4 one. Null if it is not known. */
  readonly ip: string | null;
  readonly userAgent: string | null;
}

const USER_AGENT_CHARACTERS_MAX = 256;

/**
 * In: the request, and how many of our own proxies stand before the gateway. X-Forwarded-For is believed only as far as
 * those proxies wrote it, counted from the right: a client may write anything on the left.
 */
export function clientOf(req: IncomingMessage, proxyHops: number): Client {
  return {
    ip: canonical(addressOf(req, proxyHops)) ?? canonical(req.socket.remoteAddress),
    userAgent: printable(req.headers["user-agent"]),
  };
}

/**
 * The key under which an address is limited. An IPv6 /64 is one key: that is what one subscriber gets, and it holds more
 * addresses than a limit for each could stop.
 */
export function limitKeyOf({ ip }: Client): string {
  if (ip === null) return "unknown";
  const address = ipaddr.parse(ip);
  if (address.kind() === "ipv4") return ip;
  return `${Buffer.from(address.toByteArray().slice(0, 8)).toString("hex")}/64`;
}

function addressOf(req: IncomingMessage, proxyHops: number): string | undefined {
  return req.socket.remoteAddress && proxyAddr(req, (_address, hop) => hop < proxyHops);
}

function canonical(address: string | undefined): string | null {
  return address !== undefined && ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}

function printable(text: string | undefined): string | null {
  const kept = text?.replace(/\p{Cc}/gu, "").slice(0, USER_AGENT_CHARACTERS_MAX);
  return kept || null;
}
