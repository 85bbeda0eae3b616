// Tells a long-running script that it is to stop: by Ctrl-C, by a signal, or because what started it is gone.

/**
 * Calls `told` each time the script is told to stop, with the number of times so far. Bootstrap holds an IPC
 * channel open as long as it lives: when it is killed, nobody would be left to pass a signal on.
 */
export function onToldToStop(told: (times: number) => void): void {
  let times = 0;
  const count = () => {
    times += 1;
    told(times);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, count);
  process.once("disconnect", count);
  // Listening must not keep the script alive by itself.
  process.channel?.unref();
}
