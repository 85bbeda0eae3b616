// Reports why a service refuses the gateway's signature (interface §3): the gateway turns the 401 into a 502, which does not show the
// cause.
import type { IncomingMessage } from "node:http";
import type { Logger, Metrics } from "@tradepost/runtime";

/**
 * - `missing`: no signature. The request did not come through the gateway.
 * - `mismatch`: signed with another secret, or for another request.
 * - `expired`: more than 30 s old. This machine's clock is ahead, the gateway's is behind, or someone sent a recorded request
 * again.
 * - `clock`: more than 30 s in the future. This machine's clock is behind, or the gateway's is ahead.
 */
type SignatureFault = "missing" | "expired" | "clock" | "mismatch";

const CAUSES: Readonly<Record<SignatureFault, string>> = {
  missing: "the request has no signature of the gateway",
  mismatch: "the gateway signs with another secret, or the request was changed",
  expired: "this clock is ahead of the gateway's, or the request was sent again",
  clock: "this clock is behind the gateway's",
};

/** `secondsOld` is the age of a correct signature by this machine's clock. */
export type ReportRefused = (fault: SignatureFault, req: IncomingMessage, secondsOld?: number) => void;

// With a wrong secret, every request is refused; the log has a sample.
const LOG_EVERY_MS = 10_000;

/** Counts `signature_refused_total`, and logs at most one per reason every 10 s. */
export function refusedSignatures(metrics: Metrics, logger: Logger): ReportRefused {
  const counter = metrics.counter(
    "signature_refused_total",
    "Requests refused because of the gateway's signature.",
    ["reason"],
  );
  const faults = Object.keys(CAUSES) as SignatureFault[];
  for (const reason of faults) counter.inc({ reason }, 0);
  const logged = new Map<SignatureFault, { at: number; unloggedCount: number }>();
  return (reason, req, secondsOld) => {
    counter.inc({ reason });
    const last = logged.get(reason);
    const now = performance.now();
    if (last !== undefined && now - last.at < LOG_EVERY_MS) {
      last.unloggedCount += 1;
      return;
    }
    logged.set(reason, { at: now, unloggedCount: 0 });
    logger.warn(
      {
        reason,
        cause: CAUSES[reason],
        ...(secondsOld !== undefined && { secondsOld: Math.round(secondsOld) }),
        address: req.socket.remoteAddress,
        unloggedCount: last?.unloggedCount ?? 0,
      },
      "a request was refused because of its signature",
    );
  };
}
