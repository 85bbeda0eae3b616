/**
 * Calls `handler` each time the script is asked to stop, with the number of requests so far: on Ctrl-C, on SIGTERM, and
 * when bootstrap.mjs was killed, which closes its IPC channel.
 */
export function onStopRequest(handler: (count: number) => void): void {
  let count = 0;
  const request = () => {
    count += 1;
    handler(count);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, request);
  process.once("disconnect", request);
  // An open channel must not keep the script running.
  process.channel?.unref();
}
