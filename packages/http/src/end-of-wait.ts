import type { Socket } from "node:net";

/** The end of a request's wait: its deadline, the time when its client has gone, or the stop of the service. */
export interface EndOfWait {
  readonly reached: Promise<void>;
  isReached(): boolean;
  /** Call it when the wait is over, whatever ended it. */
  release(): void;
}

/** Starts the wait of a request that arrived over `socket`, for at most `ms` (interface §10 and §12). */
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
