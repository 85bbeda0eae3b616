// Counts and logs why a service refuses the gateway's signature (interface §3). The gateway turns the 401 into a 502, which says
// nothing about the cause; here an operator finds it.
import type { IncomingMessage } from "node:http";
import type { Logger, Metrics } from "@tradepost/runtime";

/**
 * - `missing`: no signature. The request did not come through the gateway.
 * - `mismatch`: a signature with another secret, or of another request.
 * - `expired`: a right signature from more than 30 s ago. The clock of this machine is ahead, the gateway's is behind, or a request
 *   was recorded and sent again.
 * - `clock`: a right signature from more than 30 s in the future. Only a wrong clock explains it: this one is behind, or the
 *   gateway's is ahead.
 */
export type SignatureFault = "missing" | "expired" | "clock" | "mismatch";

const CAUSES: Readonly<Record<SignatureFault, string>> = {
  missing: "the request has no signature of the gateway",
  mismatch: "the gateway signs with another secret, or the request was changed",
  expired: "this clock is ahead of the gateway's, or the request was sent again",
  clock: "this clock is behind the gateway's",
};

/** Reports one refused request. `secondsOld` is the age of a right signature by this machine's clock; negative in the future. */
export type ReportRefused = (fault: SignatureFault, req: IncomingMessage, secondsOld?: number) => void;

// A wrong secret refuses every request. The metric counts all of them.
const LOG_EVERY_MS = 10_000;

/** Returns the function that counts each refused request in `signature_refused_total` and logs one per reason and 10 s. */
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
