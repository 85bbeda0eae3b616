// How a connection was opened: the address, and the duration of each phase.
import type { Socket } from "node:net";

export interface Opening {
  address: string | null;
  /** Null without this phase: an IP address needs no look-up. */
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

export const NOT_OPENED: Readonly<Opening> = { address: null, dnsMs: null, connectMs: null, tlsMs: null };

/** Call it in the turn in which `socket` was made. Of several addresses, the last that is tried counts. */
export function watchOpening(socket: Socket, opening: Opening): void {
  let last = performance.now();
  const lap = () => {
    const before = last;
    last = performance.now();
    return Math.round(last - before);
  };
  socket.once("lookup", (error: Error | null) => {
    if (!error) opening.dnsMs = lap();
  });
  socket.on("connectionAttempt", (address: string) => {
    opening.address = address;
  });
  socket.once("connect", () => {
    opening.connectMs = lap();
  });
  socket.once("secureConnect", () => {
    opening.tlsMs = lap();
  });
}
