// Detects a process that runs but no longer responds, because its event loop is blocked or the process is stopped.
import { sleep } from "@tradepost/runtime";

export interface LivenessLimits {
  /** A process is unresponsive if all probes fail for this long. */
  readonly unresponsiveMs: number;
  /** The pause before each probe. */
  readonly intervalMs: number;
  readonly probeTimeoutMs: number;
}

/** A process that is only slow responds to one of three probes. After 15 s without a response it is frozen. */
export const LIVENESS_LIMITS: LivenessLimits = {
  unresponsiveMs: 15_000,
  intervalMs: 2_000,
  probeTimeoutMs: 5_000,
};

/**
 * Probes until every probe has failed for `unresponsiveMs`, and resolves to true; resolves to false when `signal` is aborted.
 * `probe` resolves to whether the process responded in time.
 */
export async function waitUntilUnresponsive(
  probe: (timeoutMs: number) => Promise<boolean>,
  limits: LivenessLimits,
  signal: AbortSignal,
): Promise<boolean> {
  for (let unresponsiveMs = 0; unresponsiveMs < limits.unresponsiveMs; ) {
    const since = performance.now();
    await sleep(limits.intervalMs, signal);
    const hasResponded = !signal.aborted && (await probe(limits.probeTimeoutMs));
    if (signal.aborted) return false;
    const tookMs = performance.now() - since;
    unresponsiveMs = unresponsiveAfter(unresponsiveMs, { hasResponded, tookMs }, limits);
  }
  return true;
}

/**
 * Returns how long the process has been unresponsive after one more probe. `tookMs` includes the pause. If a probe takes more than
 * twice its time limit, this process itself was suspended (such as on a sleeping laptop), and the count starts again.
 */
export function unresponsiveAfter(
  unresponsiveMs: number,
  probe: { readonly hasResponded: boolean; readonly tookMs: number },
  limits: LivenessLimits,
): number {
  const wasSuspended = probe.tookMs > 2 * (limits.intervalMs + limits.probeTimeoutMs);
  return probe.hasResponded || wasSuspended ? 0 : unresponsiveMs + probe.tookMs;
}
