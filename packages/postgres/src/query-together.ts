// Sends several statements in one packet, and gets their results in one. Awaited one by one, each of them would be a write
// to a socket on either side, which costs more than the rest of a small statement; pipelining saves the waits between them,
// but the server still writes once for each.
import pg, { type PoolClient, type QueryResult } from "pg";
import { isStalePlan } from "./database-errors.ts";
import { namesOf } from "./prepare-statements.ts";
import { type TransactionSettings, transactionSettingsOf } from "./transaction-settings.ts";

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * Runs the statements in their order, each with its own snapshot, and resolves with their results. They are prepared, also
 * those without values. The client must be of a pool of `connectPostgres` without `pipeline`.
 *
 * @throws the error of the first that fails; the statements after it do not run. The connection must then be closed.
 */
export async function queryTogether(
  client: PoolClient,
  statements: readonly Statement[],
): Promise<QueryResult[]> {
  const settings = transactionSettingsOf(client);
  if (settings !== undefined) return await runWithSettings(client, settings, statements);
  return await runNamed(client, statements);
}

/** The statements begin a transaction, go on with one, end it, or get one of their own. */
async function runWithSettings(
  client: PoolClient,
  settings: TransactionSettings,
  statements: readonly Statement[],
): Promise<QueryResult[]> {
  const [first, ...others] = statements;
  if (first === undefined) return [];
  const set = { text: settings.text };
  if (first.text === "begin") {
    settings.isInTransaction = others.at(-1)?.text !== "commit";
    return (await runNamed(client, [first, set, ...others])).toSpliced(1, 1);
  }
  if (settings.isInTransaction) {
    settings.isInTransaction = statements.at(-1)?.text !== "commit";
    return await runNamed(client, statements);
  }
  const results = await runNamed(client, [{ text: "begin" }, set, ...statements, { text: "commit" }]);
  return results.slice(2, -1);
}

async function runNamed(client: PoolClient, statements: readonly Statement[]): Promise<QueryResult[]> {
  const names = namesOf(client);
  const named = statements.map(({ text, values = [] }) => ({
    name: names.nameOf(text, { isInTransaction: true }),
    text,
    values,
  }));
  try {
    return await run(client, named);
  } catch (error) {
    if (isStalePlan(error)) for (const { text } of named) names.renew(text);
    throw error;
  }
}

type NamedStatement = Required<Statement> & { readonly name: string | undefined };

function run(client: PoolClient, statements: readonly NamedStatement[]): Promise<QueryResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<QueryResult[]>();
  const query = new Statements(statements);
  // pg has one result for one statement, and an array for several.
  query.on("end", (results: unknown) => resolve([results].flat() as QueryResult[]));
  query.on("error", reject);
  try {
    client.query(query);
  } catch (error) {
    reject(error);
  }
  return promise;
}

// pg's own query, which reads the results of several statements as well, but sends only one.
class Statements extends pg.Query {
  readonly #statements: readonly NamedStatement[];

  constructor(statements: readonly NamedStatement[]) {
    super({ text: "" });
    this.#statements = statements;
  }

  override submit = (connection: pg.Connection): void => {
    // The server responds when it gets to a `sync`, so there is one at the end only.
    const withoutSync = Object.create(connection, { sync: { value: () => undefined } }) as pg.Connection;
    connection.stream.cork();
    try {
      for (const { name, text, values } of this.#statements) {
        // Without `extended`, a statement without a name and values would be sent in another way, with its own response.
        const config = { name, text, values: [...values], queryMode: "extended" };
        const query = new pg.Query(config as pg.QueryConfig);
        // Not among pg's declared types.
        const refusal = query.submit(withoutSync) as unknown;
        if (Error.isError(refusal)) throw refusal;
      }
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
  };
}
