import pg from "pg";

type Execute = <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Executes one statement over its own connection. */
export function execute<Row = Record<string, unknown>>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return withConnection(url, (query) => query<Row>(text, values));
}

/** Executes statements over one connection. */
export async function withConnection<Result>(
  url: string,
  work: (execute: Execute) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without a listener, a connection that is lost after the statement would end this process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(async <Row>(text: string, values: readonly unknown[] = []) => {
      return (await client.query(text, [...values])).rows as Row[];
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

const CONNECT_TIMEOUT_MS = 10_000;
