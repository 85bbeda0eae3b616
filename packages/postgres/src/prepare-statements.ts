// Makes a connection prepare its statements. A statement with values gets a name made from its text; one without values, such
// as `begin`, is sent as before. Callers give no names: a name in a query's configuration is ignored.
import type { PoolClient, QueryConfig, QueryResult } from "pg";
import { isStalePlan } from "./database-errors.ts";
import { NO_NAMES, type StatementNames } from "./statement-names.ts";

/** An option of a statement. */
export interface MayBePrepared {
  /**
   * False for a statement whose text varies with its filters: it is planned for its values on each use, and does not take
   * one of the pool's names.
   */
  readonly isPrepared?: false;
}

type Callback = (error: Error | null | undefined, result?: QueryResult) => void;
type Send = (config: QueryConfig, callback: Callback) => void;

const namesOfClients = new WeakMap<PoolClient, StatementNames>();

/** The names of the statements of a client that `prepareStatements` was called for. */
export function namesOf(client: PoolClient): StatementNames {
  return namesOfClients.get(client) ?? NO_NAMES;
}

/** Replaces `client.query`. It accepts what pg's does, except `callback` within the configuration. */
export function prepareStatements(client: PoolClient, names: StatementNames): void {
  namesOfClients.set(client, names);
  const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
  const send = preparing(client, plain as Send, names);
  const query = (statement: unknown, ...rest: unknown[]) => {
    const config = configOf(statement, rest[0]);
    if (config === null) return plain(statement, ...rest);
    const callback = rest.find((argument) => typeof argument === "function") as Callback | undefined;
    if (callback !== undefined) return send(config, callback);
    return new Promise((resolve, reject) => {
      send(config, (error, result) => (error ? reject(error) : resolve(result)));
    }).catch((error: Error) => {
      // As pg does: the stack leads to the caller instead of the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  };
  client.query = query as typeof client.query;
}

/** The statement without a name; null for one that is not to be prepared, and for a custom query class. */
function configOf(statement: unknown, values: unknown): QueryConfig | null {
  if (typeof statement === "string") return { text: statement, ...(Array.isArray(values) && { values }) };
  if (typeof statement !== "object" || statement === null || "submit" in statement) return null;
  if ((statement as MayBePrepared).isPrepared === false) return null;
  const { name: _, ...config } = statement as QueryConfig;
  return Array.isArray(values) ? { ...config, values } : config;
}

function preparing(client: PoolClient, send: Send, names: StatementNames): Send {
  // Until Postgres has parsed a statement, the same text is sent without the name: if the first one fails to be parsed, for
  // example because it is cancelled, the others would fail with it on a pipelined connection.
  const parsed = new Set<string>();
  const beingParsed = new Set<string>();
  // As of the statements sent, which may be ahead of the responses.
  let isInTransaction = false;
  return (config, callback) => {
    const { text, values } = config;
    if (!values?.length) {
      if (BEGIN.test(text)) isInTransaction = true;
      else if (END.test(text)) isInTransaction = false;
      return send(config, callback);
    }
    const name = names.nameOf(text, { isInTransaction });
    if (name === undefined || beingParsed.has(name)) return send(config, callback);
    if (!parsed.has(name)) beingParsed.add(name);
    send({ ...config, name }, (error, result) => {
      beingParsed.delete(name);
      if (!error) {
        parsed.add(name);
        return callback(error, result);
      }
      if (!isStalePlan(error)) return callback(error);
      names.renew(text);
      // pg learns of the aborted transaction later: the status is still the one before this statement. Nothing of it was
      // executed. In a transaction, only the caller can start again.
      if (client.getTransactionStatus() === "I") send(config, callback);
      else callback(error);
    });
  };
}

const BEGIN = /^\s*(?:begin|start\s+transaction)\b/i;
const END = /^\s*(?:commit|end|abort|rollback(?!\s+to\b))\b/i;
