// Warns if requests come through a proxy although PROXY_HOPS is 0. All clients then share the proxy's address, and so the
// sign-in limit of one address.
import type { IncomingMessage } from "node:http";
import type { Logger, Metrics } from "@tradepost/runtime";

const WARN_EVERY_MS = 60_000;

/** The returned function checks one request. It warns at most once a minute; the metric counts every request. */
export function watchProxies(options: {
  proxyHops: number;
  logger: Logger;
  metrics: Metrics;
  now?: () => number;
}): (req: IncomingMessage) => void {
  const { proxyHops, logger, now = () => performance.now() } = options;
  const ignored = options.metrics.counter(
    "forwarded_for_ignored_total",
    "Requests with an X-Forwarded-For header that PROXY_HOPS=0 makes the gateway ignore.",
  );
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (req) => {
    if (proxyHops > 0 || req.headers["x-forwarded-for"] === undefined) return;
    ignored.inc();
    if (now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = now();
    logger.warn(
      { remoteAddress: req.socket.remoteAddress },
      "requests have X-Forwarded-For but PROXY_HOPS is 0: sign-in limits count all clients of a proxy as one",
    );
  };
}
