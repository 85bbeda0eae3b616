// For a pooler in transaction mode (interface §16), such as PgBouncer: it gives a connection of Postgres to one client for one
// transaction, and then to another. What a client sets for its session would reach the next one's transaction, so each transaction
// sets what it needs for itself, and a statement outside of one gets a transaction of its own.
import pg, { type PoolClient, type QueryResult } from "pg";
import { corked } from "./corked.ts";

/** How a client's transactions begin. */
export interface TransactionSettings {
  /** Sets the settings until the transaction ends. */
  readonly text: string;
  /** As of the statements sent. */
  isInTransaction: boolean;
}

const BEGIN = /^\s*(?:begin|start\s+transaction)\b/i;
const END = /^\s*(?:commit|end|abort|rollback(?!\s+to\b))\b/i;

const settingsOfClients = new WeakMap<PoolClient, TransactionSettings>();

/** The settings of a client that `setInEachTransaction` was called for; undefined for any other. */
export function transactionSettingsOf(client: PoolClient): TransactionSettings | undefined {
  return settingsOfClients.get(client);
}

/** True if `setInEachTransaction` was called for the client. */
export function isBehindPooler(client: PoolClient): boolean {
  return settingsOfClients.has(client);
}

/** Replaces `client.query`. `isPipelined` is true if the client sends statements without waiting for earlier ones. */
export function setInEachTransaction(
  client: PoolClient,
  values: Readonly<Record<string, string>>,
  { isPipelined }: { isPipelined: boolean },
): void {
  const calls = Object.entries(values).map(
    ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`,
  );
  const settings = { text: `select ${calls.join(", ")}`, isInTransaction: false };
  settingsOfClients.set(client, settings);
  const plain = client.query.bind(client) as Query;
  const begin = (text: string) => plain(`${text}; ${settings.text}`);
  const alone = async (args: unknown[]) => {
    if (isPipelined) return await inOneGo(client, () => [begin("begin"), plain(...args), plain("commit")], 1);
    await begin("begin");
    try {
      return await plain(...args);
    } finally {
      // Rolls back after an error.
      await plain("commit");
    }
  };
  client.query = beginningWith(settings, { plain, begin, alone }) as typeof client.query;
}

/** The same client, whose transactions begin with a further statement. It must be pipelined. */
export function withTransactionStart(client: PoolClient, start: () => Promise<unknown>): PoolClient {
  const plain = client.query.bind(client) as Query;
  const begin = (text: string) => inOneGo(client, () => [plain(text), start()], 0);
  const alone = (args: unknown[]) =>
    inOneGo(client, () => [plain("begin"), start(), plain(...args), plain("commit")], 2);
  const query = beginningWith({ isInTransaction: false }, { plain, begin, alone });
  return Object.create(client, { query: { value: query } }) as PoolClient;
}

type Query = (...args: unknown[]) => Promise<QueryResult>;
type Callback = (error: Error | null, result?: QueryResult) => void;

interface Ways {
  readonly plain: Query;
  /** Begins a transaction; `text` is what the caller begins it with. */
  readonly begin: (text: string) => Promise<unknown>;
  /** Runs a statement in a transaction of its own. */
  readonly alone: (args: unknown[]) => Promise<QueryResult>;
}

function beginningWith(state: { isInTransaction: boolean }, { plain, begin, alone }: Ways) {
  const run = (args: unknown[], text: string): Promise<unknown> => {
    if (BEGIN.test(text)) {
      state.isInTransaction = true;
      return begin(text);
    }
    if (!state.isInTransaction) return alone(args);
    if (END.test(text)) state.isInTransaction = false;
    return plain(...args);
  };
  return (...args: unknown[]) => {
    const text = textOf(args[0]);
    // Several statements in one packet: `queryTogether` sees to them.
    if (text === undefined) return plain(...args);
    const callback = args.at(-1);
    if (typeof callback !== "function") return run(args, text);
    const call = callback as Callback;
    run(args.slice(0, -1), text).then((result) => call(null, result as QueryResult), call);
    return undefined;
  };
}

function textOf(query: unknown): string | undefined {
  if (typeof query === "string") return query;
  const { text, submit } = query as { text?: string; submit?: unknown };
  return submit === undefined ? text : undefined;
}

/** Waits for all, and throws the first error in their order: those after it are only its consequences. */
async function inOneGo(
  client: PoolClient,
  send: () => Promise<unknown>[],
  wanted: number,
): Promise<QueryResult> {
  const outcomes = await Promise.allSettled(corked(client, send));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return (outcomes[wanted] as PromiseFulfilledResult<QueryResult>).value;
}
