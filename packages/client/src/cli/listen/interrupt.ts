// Handles Ctrl-C: the first asks the program to finish, the second ends it.

export interface Interrupted {
  /** Aborts at the first interrupt. */
  readonly signal: AbortSignal;
  /** Stops handling interrupts. */
  stop(): void;
}

/** Starts handling interrupts. Calls `onFirst` at the first one. */
export function onInterrupt(onFirst: () => void): Interrupted {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
    onFirst();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, interrupt);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, interrupt);
    },
  };
}
