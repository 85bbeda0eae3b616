// Detects a program that lives but no longer answers: its event loop spins, or the process is stopped.
import { setTimeout as sleep } from "node:timers/promises";

export interface SilenceLimits {
  /** How long every probe in a row must fail. */
  readonly silenceMs: number;
  /** The pause before each probe. */
  readonly everyMs: number;
  readonly probeTimeoutMs: number;
}

/** A process that is merely slow answers one of three probes; 15 s without an answer is a freeze. */
export const SILENCE_LIMITS: SilenceLimits = { silenceMs: 15_000, everyMs: 1_000, probeTimeoutMs: 5_000 };

/**
 * In: a probe, which resolves to whether the program answered within the given time. Resolves to true when every probe
 * has failed for `silenceMs`, or to false when `signal` is aborted.
 */
export async function awaitSilence(
  probe: (withinMs: number) => Promise<boolean>,
  limits: SilenceLimits,
  signal: AbortSignal,
): Promise<boolean> {
  for (let silentMs = 0; silentMs < limits.silenceMs; ) {
    const since = performance.now();
    await sleep(limits.everyMs, undefined, { signal }).catch(() => undefined);
    const hasAnswered = !signal.aborted && (await probe(limits.probeTimeoutMs));
    if (signal.aborted) return false;
    silentMs = silenceAfter(silentMs, { hasAnswered, tookMs: performance.now() - since }, limits);
  }
  return true;
}

/**
 * How long the program has been silent after one more probe. `tookMs` includes the pause. A probe that took far longer
 * than it can take shows that this process stood still itself (a laptop that was asleep): such a probe proves nothing,
 * and the count begins again.
 */
export function silenceAfter(
  silentMs: number,
  probe: { readonly hasAnswered: boolean; readonly tookMs: number },
  limits: SilenceLimits,
): number {
  const stoodStill = probe.tookMs > 2 * (limits.everyMs + limits.probeTimeoutMs);
  return probe.hasAnswered || stoodStill ? 0 : silentMs + probe.tookMs;
}
