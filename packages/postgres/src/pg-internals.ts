// The parts of pg that are not among its declared types. Check them when pg is upgraded.
import type { Socket } from "node:net";
import pg, { type PoolClient, type QueryConfig } from "pg";

interface Connection {
  readonly stream: Socket;
  on(
    event: "errorMessage",
    listener: (error: { readonly code?: string; readonly severity?: string }) => void,
  ): void;
  /** Fails all statements that were sent, as the loss of the connection does. */
  emit(event: "error", error: Error): void;
}

export function connectionOf(client: pg.Client | PoolClient): Connection {
  return (client as unknown as { connection: Connection }).connection;
}

/** Reads pg's own lists of statements. */
export function isWaiting(client: PoolClient): boolean {
  const { _activeQuery, _sentQueryQueue } = client as unknown as {
    readonly _activeQuery: unknown;
    readonly _sentQueryQueue: readonly unknown[];
  };
  // `_activeQuery` is null without a statement, and undefined before the first one.
  return Boolean(_activeQuery) || _sentQueryQueue.length > 0;
}

/** Sends several statements. pg's own query can read the results of several, but sends only one. */
export class QueryOfSeveral extends pg.Query {
  readonly #statements: readonly QueryConfig[];

  constructor(
    statements: readonly QueryConfig[],
    callback: (error: Error | undefined, results: unknown) => void,
  ) {
    super({ text: "" }, callback);
    this.#statements = statements;
  }

  override submit = (connection: pg.Connection): void => {
    // The server responds only to a `sync`, so one is sent at the end.
    const withoutSync = Object.create(connection, { sync: { value: () => undefined } }) as pg.Connection;
    connection.stream.cork();
    try {
      for (const statement of this.#statements) {
        // Otherwise a statement without a name and values would get its own response.
        const query = new pg.Query({ ...statement, queryMode: "extended" } as QueryConfig);
        const refusal = query.submit(withoutSync) as unknown;
        if (Error.isError(refusal)) throw refusal;
      }
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
  };
}
