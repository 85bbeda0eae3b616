// A program that chaos and the tests can keep down: its supervisor restarts it, but not before `resume`.
import type { Program, RunningProcess } from "./program.ts";

export interface PausableProcess {
  /** The program that the supervisor starts instead. */
  readonly program: Program;
  /** Kills the process. With `pause` it stays down until `resume`. */
  kill(options?: { pause?: boolean }): void;
  /** Stops the process gracefully; resolves when the supervisor has restarted it. */
  restart(): Promise<void>;
  /** Calls `whileDown` once the killed process has exited, then resolves when it runs again. */
  resume(whileDown?: () => Promise<void>): Promise<void>;
  /** How often the process exited for a reason other than a call of these functions. */
  unexpectedExits(): number;
}

export function pausable(program: Program): PausableProcess {
  let running: RunningProcess | undefined;
  let isExpected = false;
  let exits = 0;
  let gate = Promise.resolve();
  let open = () => {};
  let started = Promise.withResolvers<void>();

  const start = async (signal?: AbortSignal) => {
    await gate;
    const process = await program.start(signal);
    running = process;
    isExpected = false;
    started.resolve();
    void process.ended.then(() => {
      if (!isExpected && !signal?.aborted) exits += 1;
      running = undefined;
      started = Promise.withResolvers<void>();
    });
    return process;
  };

  return {
    program: { ...program, start },
    kill: ({ pause = false } = {}) => {
      isExpected = true;
      if (pause) {
        gate = new Promise((resolve) => {
          open = resolve;
        });
      }
      running?.kill();
    },
    restart: async () => {
      isExpected = true;
      await running?.stop();
      await started.promise;
    },
    resume: async (whileDown = async () => {}) => {
      await running?.ended;
      await whileDown();
      open();
      gate = Promise.resolve();
      await started.promise;
    },
    unexpectedExits: () => exits,
  };
}
