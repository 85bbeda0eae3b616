// Keeps one program running: starts it again on the same addresses when it ends by itself or no longer answers, until
// it is told to stop. `npm start` has one of these for each service and server.
import { setTimeout as sleep } from "node:timers/promises";
import { awaitSilence, SILENCE_LIMITS } from "./await-silence.ts";
import type { Running, Startable } from "./running.ts";

export interface Kept {
  readonly name: string;
  /** Undefined while it is being started again. */
  pid(): number | undefined;
  /** Ends the program for good; resolves when it is gone. */
  stop(): Promise<void>;
  kill(): void;
}

export interface Told {
  /** A line for the person at the terminal. */
  say(line: string): void;
  /** It runs again, under another pid. */
  changed(): void;
}

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;
/** What ran for so long had started well: when it ends, waiting longer would help nobody. */
const STEADY_MS = 10_000;

/** Resolves when the program runs for the first time; rejects when it does not start, and `signal` ends the try. */
export async function keepRunning(
  startable: Startable,
  told: Told,
  signal: AbortSignal,
  silenceLimits = SILENCE_LIMITS,
): Promise<Kept> {
  const { name } = startable;
  const stopping = new AbortController();
  let running: Running | undefined = await startable.start(signal);
  const watching = watch(running);

  async function watch(first: Running): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    for (let current: Running | undefined = first; current !== undefined; ) {
      const since = Date.now();
      const cause = await endOf(current);
      if (stopping.signal.aborted) return;
      running = undefined;
      waitMs = Date.now() - since > STEADY_MS ? FIRST_WAIT_MS : Math.min(waitMs * 2, LONGEST_WAIT_MS);
      told.say(`${name} ${cause} and is started again.`);
      current = await startAgain(waitMs);
    }
  }

  /** Resolves when the program has ended, to the cause. A program that no longer answers is ended. */
  async function endOf(current: Running): Promise<string> {
    let cause: string | undefined;
    const over = new AbortController();
    void whenSilent(AbortSignal.any([over.signal, stopping.signal]), () => {
      cause = `did not answer /healthz for ${silenceLimits.silenceMs / 1_000} s`;
      // A frozen process does not react to SIGTERM.
      current.kill();
    });
    const reason = await current.ended;
    over.abort();
    return cause ?? `ended (${reason})`;
  }

  async function whenSilent(signal: AbortSignal, end: () => void): Promise<void> {
    const { answersHealthz } = startable;
    if (answersHealthz !== undefined && (await awaitSilence(answersHealthz, silenceLimits, signal))) end();
  }

  /** Tries until it succeeds; undefined when told to stop. */
  async function startAgain(firstWaitMs: number): Promise<Running | undefined> {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return undefined;
      try {
        running = await startable.start(stopping.signal);
        told.say(`${name} runs again, as process ${running.pid}.`);
        told.changed();
        return running;
      } catch (error) {
        if (!stopping.signal.aborted) told.say(error instanceof Error ? error.message : String(error));
      }
    }
  }

  return {
    name,
    pid: () => running?.pid,
    stop: async () => {
      stopping.abort();
      await running?.stop();
      await watching;
    },
    kill: () => running?.kill(),
  };
}
