// Keeps one program running until it is stopped: restarts it on the same addresses when it exits or no longer responds.
import { backoff, sleep } from "@tradepost/runtime";
import type { Program, RunningProcess } from "./program.ts";

export type ManagedProcess = Awaited<ReturnType<typeof manageProcess>>;

export interface SupervisorEvents {
  log(line: string): void;
  restarted(): void;
}

const BACKOFF = { minMs: 200, maxMs: 5_000 };
/** If a program has run this long, the wait before its next restart is the shortest again. */
const STABLE_AFTER_MS = 10_000;

/** Resolves when the program runs for the first time; rejects when it does not start or `signal` is aborted before. */
export async function manageProcess(
  program: Program,
  events: SupervisorEvents,
  signal: AbortSignal,
  limits = LIVENESS_LIMITS,
) {
  const { name } = program;
  const stopping = new AbortController();
  let failures = 0;
  let running: RunningProcess | undefined = await program.start(signal);
  const watching = watch(running);

  async function watch(first: RunningProcess): Promise<void> {
    for (let current: RunningProcess | undefined = first; current !== undefined; ) {
      const since = Date.now();
      const cause = await untilEnded(current, program.isLive, limits, stopping.signal);
      if (stopping.signal.aborted) return;
      running = undefined;
      failures = Date.now() - since > STABLE_AFTER_MS ? 0 : failures + 1;
      events.log(`${name} ${cause}; restarting.`);
      current = await restart();
    }
  }

  /** Tries until the program starts; undefined if it is stopped meanwhile. */
  async function restart(): Promise<RunningProcess | undefined> {
    for (;;) {
      await sleep(backoff(failures, BACKOFF), stopping.signal);
      if (stopping.signal.aborted) return undefined;
      try {
        running = await program.start(stopping.signal);
        // `stop` was called before the program became ready, and could not stop it.
        if (stopping.signal.aborted) {
          await running.stop();
          return undefined;
        }
        events.log(`${name} runs again, as process ${running.pid}.`);
        events.restarted();
        return running;
      } catch (error) {
        failures += 1;
        if (!stopping.signal.aborted) events.log(error instanceof Error ? error.message : String(error));
      }
    }
  }

  return {
    name,
    pid: () => running?.pid,
    /** Stops the program for good; resolves when it has exited. */
    stop: async () => {
      stopping.abort();
      await running?.stop();
      await watching;
    },
    kill: () => running?.kill(),
  };
}

/** Kills a process that no longer responds, until `stopping` is aborted. Resolves to the reason when it has exited. */
async function untilEnded(
  current: RunningProcess,
  isLive: Program["isLive"],
  limits: typeof LIVENESS_LIMITS,
  stopping: AbortSignal,
): Promise<string> {
  let cause: string | undefined;
  const ended = new AbortController();
  const watchLiveness = async () => {
    const signal = AbortSignal.any([ended.signal, stopping]);
    if (isLive === undefined || !(await waitUntilUnresponsive(isLive, limits, signal))) return;
    cause = `did not respond to /healthz for ${limits.unresponsiveMs / 1_000} s`;
    // A frozen process does not react to SIGTERM.
    current.kill();
  };
  void watchLiveness();
  const reason = await current.ended;
  ended.abort();
  return cause ?? `ended (${reason})`;
}

/** A process that is only slow responds to one of three probes. After 15 s without a response it is frozen. */
export const LIVENESS_LIMITS = {
  unresponsiveMs: 15_000,
  intervalMs: 2_000,
  probeTimeoutMs: 5_000,
};

/** Resolves to false when `signal` is aborted. `probe` resolves to whether the process responded in time. */
async function waitUntilUnresponsive(
  probe: (timeoutMs: number) => Promise<boolean>,
  limits: typeof LIVENESS_LIMITS,
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
  limits: typeof LIVENESS_LIMITS,
): number {
  const wasSuspended = probe.tookMs > 2 * (limits.intervalMs + limits.probeTimeoutMs);
  return probe.hasResponded || wasSuspended ? 0 : unresponsiveMs + probe.tookMs;
}
