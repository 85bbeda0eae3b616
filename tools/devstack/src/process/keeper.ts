// Everything one launcher keeps running, in the order in which it was started, so that it can be ended in reverse.
import type { Startable } from "./running.ts";
import { type Kept, keepRunning, type Told } from "./supervisor.ts";

export interface Keeper {
  /** Starts programs one after the other and keeps them running. Rejects when one does not start, or after `stop`. */
  keep(startables: Startable[]): Promise<void>;
  /** Has `end` called by `stop`, after everything that is kept later was ended. */
  atEnd(end: () => Promise<void>): void;
  /** Null of what is not kept, or is being started again. */
  pid(name: string): number | null;
  /** Gives up what is being started, then ends everything in reverse order. */
  stop(): Promise<void>;
  /** Ends everything at once; for somebody who will not wait for `stop`. */
  kill(): void;
}

export function createKeeper(told: Told): Keeper {
  const stopping = new AbortController();
  const kept: Kept[] = [];
  const ends: (() => Promise<void>)[] = [];
  const starts: Promise<void>[] = [];

  async function keepInOrder(startables: Startable[]): Promise<void> {
    for (const startable of startables) {
      stopping.signal.throwIfAborted();
      const one = await keepRunning(startable, told, stopping.signal);
      kept.push(one);
      ends.push(one.stop);
    }
  }

  return {
    keep: (startables) => {
      const start = keepInOrder(startables);
      starts.push(start);
      return start;
    },
    atEnd: (end) => void ends.push(end),
    pid: (name) => kept.find((one) => one.name === name)?.pid() ?? null,
    stop: async () => {
      stopping.abort(new Error("Stopped while it started."));
      await Promise.allSettled(starts);
      for (const end of ends.splice(0).reverse()) await end();
    },
    kill: () => {
      for (const one of kept) one.kill();
    },
  };
}
