// A program that a fault can keep down: its keeper starts it again, but not before it is let go; and something can be done
// to it in between.
import type { Running, Startable } from "./running.ts";

export interface Holdable {
  readonly startable: Startable;
  /** Ends it without warning. With `hold` it stays down until `letGo`. */
  kill(options?: { hold?: boolean }): void;
  /** Asks it to stop, and waits until it has; it is started again. */
  restart(): Promise<void>;
  /** In: what to do while it is down. Resolves when it runs again. */
  letGo(first?: () => Promise<void>): Promise<void>;
  /** How often it ended without anybody's doing. */
  diedByItself(): number;
}

export function holdable(program: Startable): Holdable {
  let running: Running | undefined;
  let isOurDoing = false;
  let deaths = 0;
  let gate = Promise.resolve();
  let open = () => {};
  let started = Promise.withResolvers<void>();
  const startable: Startable = {
    // Its keeper watches it as it would watch the program itself.
    ...program,
    start: async (signal) => {
      await gate;
      const now = await program.start(signal);
      running = now;
      isOurDoing = false;
      started.resolve();
      void now.ended.then(() => {
        if (!isOurDoing && !signal?.aborted) deaths += 1;
        running = undefined;
        started = Promise.withResolvers<void>();
      });
      return now;
    },
  };
  return {
    startable,
    kill: ({ hold = false } = {}) => {
      isOurDoing = true;
      if (hold) {
        gate = new Promise((resolve) => {
          open = resolve;
        });
      }
      running?.kill();
    },
    restart: async () => {
      isOurDoing = true;
      await running?.stop();
      await started.promise;
    },
    letGo: async (first = async () => {}) => {
      await running?.ended;
      await first();
      open();
      gate = Promise.resolve();
      await started.promise;
    },
    diedByItself: () => deaths,
  };
}
