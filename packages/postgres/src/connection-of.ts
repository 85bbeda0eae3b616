import type { Socket } from "node:net";
import type { PoolClient } from "pg";

/** The part of pg's connection that is not among its declared types. */
interface Connection {
  readonly stream: Socket;
  on(
    event: "errorMessage",
    listener: (error: { readonly code?: string; readonly severity?: string }) => void,
  ): void;
  /** Fails all statements that were sent, as the loss of the connection does. */
  emit(event: "error", error: Error): void;
}

/** The connection to the server under a client, with its socket. */
export function connectionOf(client: PoolClient): Connection {
  return (client as unknown as { connection: Connection }).connection;
}
