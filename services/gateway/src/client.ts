// The client of a request: its address and user agent, for sign-in limits, sessions and the audit log.
import type { IncomingMessage } from "node:http";
import type { Client } from "@tradepost/http";
import type { Logger, Metrics } from "@tradepost/runtime";
import ipaddr from "ipaddr.js";

const WARN_EVERY_MS = 60_000;

export type ReadClient = ReturnType<typeof clientReader>;

/** Warns once a minute if requests come through a proxy although PROXY_HOPS is 0: all clients then share its limits. */
export function clientReader(options: {
  readonly proxyHops: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly now?: () => number;
}) {
  const { proxyHops, logger, now = () => performance.now() } = options;
  const ignored = options.metrics.counter(
    "forwarded_for_ignored_total",
    "Requests with an X-Forwarded-For header that PROXY_HOPS=0 makes the gateway ignore.",
  );
  let warnedAt = Number.NEGATIVE_INFINITY;
  const checkProxyHeader = (req: IncomingMessage) => {
    if (proxyHops > 0 || req.headers["x-forwarded-for"] === undefined) return;
    ignored.inc();
    if (now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = now();
    logger.warn(
      { remoteAddress: req.socket.remoteAddress },
      "requests have X-Forwarded-For but PROXY_HOPS is 0: sign-in limits count all clients of a proxy as one",
    );
  };
  return (req: IncomingMessage): Client => {
    checkProxyHeader(req);
    return clientOf(req, proxyHops);
  };
}

const USER_AGENT_CHARACTERS_MAX = 256;

/** Trusts as many entries of X-Forwarded-For as there are proxies, from the right: a client can write the others. */
export function clientOf(req: IncomingMessage, proxyHops: number): Client {
  return {
    ip: canonical(addressOf(req, proxyHops)) ?? canonical(req.socket.remoteAddress),
    userAgent: printable(req.headers["user-agent"]),
  };
}

/** A subscriber usually has a whole IPv6 /64, which is one key. */
export function limitKeyOf({ ip }: Client): string {
  if (ip === null) return "unknown";
  const address = ipaddr.parse(ip);
  if (address.kind() === "ipv4") return ip;
  return `${Buffer.from(address.toByteArray().slice(0, 8)).toString("hex")}/64`;
}

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** The origin that a request was sent to, undefined for a malformed `Host`. A trusted proxy may say the scheme. */
export function originOf({ headers }: IncomingMessage, proxyHops: number): string | undefined {
  const { host = "" } = headers;
  if (!HOST.test(host)) return undefined;
  const schemes = String(headers["x-forwarded-proto"] ?? "").split(",");
  const scheme = proxyHops === 0 ? "http" : (schemes.at(-proxyHops) ?? schemes[0] ?? "").trim();
  return `${scheme === "https" ? "https" : "http"}://${host.toLowerCase()}`;
}

function addressOf(req: IncomingMessage, proxyHops: number): string | undefined {
  const { remoteAddress } = req.socket;
  const forwarded = String(req.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((entry) => entry.trim());
  return remoteAddress && [...forwarded.filter(Boolean), remoteAddress].slice(-1 - proxyHops)[0];
}

function canonical(address: string | undefined): string | null {
  return address !== undefined && ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}

function printable(text: string | undefined): string | null {
  const cleaned = text?.replace(/\p{Cc}/gu, "").slice(0, USER_AGENT_CHARACTERS_MAX);
  return cleaned || null;
}
