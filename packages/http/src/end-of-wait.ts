import type { Socket } from "node:net";

/** The end of a request's wait: its deadline, the disconnect of its client, or the stop of the service. */
export interface EndOfWait {
  readonly reached: Promise<void>;
  isReached(): boolean;
  /** Releases the timer and the listeners. Call it after every wait. */
  release(): void;
}

/** Starts the wait of a request that arrived over `socket`, for at most `ms` milliseconds (interface §10 and §12). */
export function endOfWait(ms: number, socket: Socket, stopping: AbortSignal): EndOfWait {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isReached = false;
  const end = () => {
    isReached = true;
    resolve();
  };
  const timer = setTimeout(end, ms);
  socket.once("close", end);
  stopping.addEventListener("abort", end);
  if (stopping.aborted || socket.destroyed) end();
  return {
    reached: promise,
    isReached: () => isReached,
    release: () => {
      clearTimeout(timer);
      socket.off("close", end);
      stopping.removeEventListener("abort", end);
    },
  };
}
