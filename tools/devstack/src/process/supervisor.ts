// All processes that one launcher manages, in the order in which they were started, so that they stop in reverse.
import { type ManagedProcess, manageProcess, type SupervisorEvents } from "./managed-process.ts";
import type { Program, RunningProcess } from "./program.ts";

export interface Supervisor {
  /** Starts programs one after the other and keeps them running. Rejects when one does not start, or after `stop`. */
  start(programs: readonly Program[]): Promise<void>;
  /** Registers a function that `stop` calls after it has stopped everything that was started later. */
  onStop(cleanUp: () => Promise<void>): void;
  /** Null if the program is not managed here, or is being restarted. */
  pid(name: string): number | null;
  /** Throws if no program of this name is managed. */
  process(name: string): PausableProcess;
  /** Cancels pending starts, then stops everything in reverse order. */
  stop(): Promise<void>;
  kill(): void;
}

export function createSupervisor(events: SupervisorEvents): Supervisor {
  const stopping = new AbortController();
  const managed: ManagedProcess[] = [];
  const pausables = new Map<string, PausableProcess>();
  const cleanUps: (() => Promise<void>)[] = [];
  const starts: Promise<void>[] = [];

  async function startInOrder(programs: readonly Program[]): Promise<void> {
    for (const original of programs) {
      stopping.signal.throwIfAborted();
      const process = pausable(original);
      pausables.set(original.name, process);
      const started = await manageProcess(process.program, events, stopping.signal);
      managed.push(started);
      cleanUps.push(started.stop);
    }
  }

  return {
    start: (programs) => {
      const starting = startInOrder(programs);
      starts.push(starting);
      return starting;
    },
    onStop: (cleanUp) => void cleanUps.push(cleanUp),
    pid: (name) => managed.find((process) => process.name === name)?.pid() ?? null,
    process: (name) => {
      const found = pausables.get(name);
      if (found === undefined) throw new Error(`No process is called ${name}.`);
      return found;
    },
    stop: async () => {
      stopping.abort(new Error("Stopped while it started."));
      await Promise.allSettled(starts);
      for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    },
    kill: () => {
      for (const process of managed) process.kill();
    },
  };
}

export interface PausableProcess {
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
