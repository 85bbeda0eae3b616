// The client of a request: its address and user agent, for sign-in limits, sessions and the audit log. Pure.
import type { IncomingMessage } from "node:http";
import type { Client } from "@tradepost/http";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";

const USER_AGENT_CHARACTERS_MAX = 256;

/**
 * `proxyHops` is the number of trusted proxies in front of the gateway. Only as many entries of X-Forwarded-For are trusted,
 * counted from the right, because a client can write anything to their left.
 */
export function clientOf(req: IncomingMessage, proxyHops: number): Client {
  return {
    ip: canonical(addressOf(req, proxyHops)) ?? canonical(req.socket.remoteAddress),
    userAgent: printable(req.headers["user-agent"]),
  };
}

/**
 * The key by which an address is limited. An IPv6 /64 is one key, because one subscriber usually has a whole /64 and could
 * otherwise use a new address for each attempt.
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
  const cleaned = text?.replace(/\p{Cc}/gu, "").slice(0, USER_AGENT_CHARACTERS_MAX);
  return cleaned || null;
}
