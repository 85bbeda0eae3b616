// All processes that one launcher manages, in the order in which they were started, so that they stop in reverse.
import { type ManagedProcess, manageProcess, type SupervisorEvents } from "./managed-process.ts";
import type { Program, RunningProcess } from "./program.ts";

export type Supervisor = ReturnType<typeof createSupervisor>;

export function createSupervisor(events: SupervisorEvents) {
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
    /** Starts programs one after the other and keeps them running. Rejects when one does not start, or after `stop`. */
    start: (programs: readonly Program[]) => {
      const starting = startInOrder(programs);
      starts.push(starting);
      return starting;
    },
    /** Registers a function that `stop` calls after it has stopped everything that was started later. */
    onStop: (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp),
    /** Null if the program is not managed here, or is being restarted. */
    pid: (name: string) => managed.find((process) => process.name === name)?.pid() ?? null,
    /** Throws if no program of this name is managed. */
    process: (name: string) => {
      const found = pausables.get(name);
      if (found === undefined) throw new Error(`No process is called ${name}.`);
      return found;
    },
    /** Cancels pending starts, then stops everything in reverse order. */
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

type PausableProcess = ReturnType<typeof pausable>;

export function pausable(program: Program) {
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
    /** With `pause` the process stays down until `resume`. */
    kill: ({ pause = false }: { pause?: boolean } = {}) => {
      isExpected = true;
      if (pause) {
        gate = new Promise((resolve) => {
          open = resolve;
        });
      }
      running?.kill();
    },
    /** Stops the process gracefully; resolves when the supervisor has restarted it. */
    restart: async () => {
      isExpected = true;
      await running?.stop();
      await started.promise;
    },
    /** Calls `whileDown` once the killed process has exited, then resolves when it runs again. */
    resume: async (whileDown = async () => {}) => {
      await running?.ended;
      await whileDown();
      open();
      gate = Promise.resolve();
      await started.promise;
    },
    /** How often the process exited for a reason other than a call of these functions. */
    unexpectedExits: () => exits,
  };
}
