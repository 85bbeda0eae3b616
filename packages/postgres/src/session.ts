// A session is one connection of a pool to Postgres. It is pg's client, extended by:
//
// - Names. A statement with values is prepared under a name made from its text (`statement-names.ts`). A statement without values,
//   such as `begin`, is not. A name that the caller gives is ignored.
// - The tenant, which the policies of row-level security compare with each row's tenant. It is set in the same round trip as the
//   first statement. Without a tenant the policies allow no row.
// - Settings, if there is a pooler in transaction mode (interface §16), such as PgBouncer. The pooler gives a Postgres connection
//   to one client for one transaction, and then to another. A client's session settings would reach the next client's transaction.
//   So each transaction makes its own settings, and a statement outside a transaction gets one of its own.
// - Several statements in one packet.
import pg, { type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow } from "pg";
import { isStalePlan, storageFault } from "./database-errors.ts";
import { connectionOf, QueryOfSeveral } from "./pg-internals.ts";
import type { StatementNames } from "./statement-names.ts";

export interface SessionConfig extends pg.ClientConfig {
  readonly names: StatementNames;
  /** Behind a pooler, for each transaction. */
  readonly transactionSettings?: Readonly<Record<string, string>> | undefined;
}

export interface MayBePrepared {
  /** The text varies with its filters: it is planned on each use, and takes none of the pool's names. */
  readonly isPrepared?: false;
}

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

export interface TenantSession {
  query<Row extends QueryResultRow>(
    statement: string | (QueryConfig & MayBePrepared),
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
  release(failure?: Error | boolean): void;
}

type Config = QueryConfig & MayBePrepared;
type Callback = (error: Error | null, result?: QueryResult) => void;

const SET_TENANT = "select set_config('tradepost.tenant_id', $1, false)";
const SET_TENANT_OF_TRANSACTION = "select set_config('tradepost.tenant_id', $1, true)";
const BEGIN = /^\s*(?:begin|start\s+transaction)\b/i;
const END = /^\s*(?:commit|end|abort|rollback(?!\s+to\b))\b/i;

export class Session extends pg.Client {
  readonly #names: StatementNames;
  /** Behind a pooler: sets the settings until the transaction ends. */
  readonly #settings: string | undefined;
  /** According to the statements sent so far. */
  #isInTransaction = false;
  /** Names parsed on this connection, and names sent but not parsed yet. */
  readonly #parsed = new Set<string>();
  readonly #beingParsed = new Set<string>();
  /** The pool sets it each time it hands out the session. */
  declare release: PoolClient["release"];

  constructor(config: SessionConfig) {
    super(config);
    this.#names = config.names;
    this.#settings = config.transactionSettings && settingsStatement(config.transactionSettings);
    connectionOf(this).on("errorMessage", (error) => {
      const missing = storageFault(error);
      // pg rejects with this object.
      if (missing !== undefined) Object.assign(error, { missing });
    });
  }

  /** Like pg's own, without custom query classes and a callback in the configuration. */
  override readonly query = ((statement: string | Config, ...rest: unknown[]) => {
    const config = configOf(statement, rest[0]);
    const callback = rest.at(-1);
    if (typeof callback !== "function") return this.#run(config);
    // With promises, V8 kept much of each request until a major collection.
    if (this.#settings === undefined) this.#sendThen(config, callback as Callback);
    else void this.#run(config).then((value) => (callback as Callback)(null, value), callback as Callback);
    return undefined;
  }) as pg.Client["query"];

  /** Sends statements in one packet: a write to a socket costs more than the rest of a small statement. */
  async queryTogether(statements: readonly Statement[]): Promise<QueryResult[]> {
    const [first, ...others] = statements;
    if (first === undefined) return [];
    if (this.#settings === undefined) return await this.#sendTogether(statements);
    const set = { text: this.#settings };
    if (BEGIN.test(first.text)) return (await this.#sendTogether([first, set, ...others])).toSpliced(1, 1);
    if (this.#isInTransaction) return await this.#sendTogether(statements);
    const results = await this.#sendTogether([{ text: "begin" }, set, ...statements, { text: "commit" }]);
    return results.slice(2, -1);
  }

  /** Sends in one packet what `send` passes to `query` without awaiting it. */
  inOnePacket<Result>(send: () => Result): Result {
    const { stream } = this.connection;
    stream.cork();
    try {
      return send();
    } finally {
      stream.uncork();
    }
  }

  /**
   * Sets the tenant; behind a pooler, only until the transaction ends. If that fails, the connection may still have another tenant,
   * so a caller that depends on it must await the promise. A rejection that nobody awaits has no effect.
   */
  setTenant(tenantId: string): Promise<unknown> {
    const text = this.#settings === undefined ? SET_TENANT : SET_TENANT_OF_TRANSACTION;
    const tenantSet = this.#send({ text, values: [tenantId] });
    tenantSet.catch(() => undefined);
    return tenantSet;
  }

  /** Sets the tenant until the session is released. A statement rejects if that failed, whatever its own result. */
  forTenant(tenantId: string): TenantSession {
    const { release } = this;
    if (this.#settings !== undefined)
      return { query: (statement, values) => this.#run(configOf(statement, values), tenantId), release };
    const tenantSet = this.setTenant(tenantId);
    return {
      query: (statement, values) => resultAfter(tenantSet, this.#run(configOf(statement, values))),
      release,
    };
  }

  /** If a commit was cancelled, the connection is still in the transaction, so it is closed. */
  releaseOrClose(): void {
    this.release(this.getTransactionStatus() !== "I");
  }

  #run(config: Config, tenantId?: string): Promise<QueryResult> {
    return this.#settings === undefined ? this.#send(config) : this.#runWithSettings(config, tenantId);
  }

  async #runWithSettings(config: Config, tenantId: string | undefined): Promise<QueryResult> {
    const begin = (text: string) => {
      const begun = this.#send({ text: `${text}; ${this.#settings}` });
      // Without a transaction, the next statement would run without the settings.
      begun.catch(() => {
        this.#isInTransaction = false;
      });
      return tenantId === undefined ? [begun] : [begun, this.setTenant(tenantId)];
    };
    if (BEGIN.test(config.text)) return (await this.#inOneGo(() => begin(config.text))).at(0) as QueryResult;
    if (this.#isInTransaction) return await this.#send(config);
    const commit = () => this.#send({ text: "commit" });
    if (this.pipeline) {
      const results = await this.#inOneGo(() => [...begin("begin"), this.#send(config), commit()]);
      return results.at(-2) as QueryResult;
    }
    await this.#inOneGo(() => begin("begin"));
    try {
      return await this.#send(config);
    } finally {
      // Rolls back after an error.
      await commit();
    }
  }

  /** Rejects with the first error, of which later ones are consequences. */
  async #inOneGo(send: () => Promise<unknown>[]): Promise<unknown[]> {
    const outcomes = await Promise.allSettled(this.inOnePacket(send));
    return outcomes.map((outcome) => {
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    });
  }

  #send(config: Config): Promise<QueryResult> {
    return new Promise<QueryResult>((resolve, reject) => {
      this.#sendThen(config, (error, result) => (error ? reject(error) : resolve(result as QueryResult)));
    }).catch((error: unknown) => {
      // As pg does: the error's own stack leads to a socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    });
  }

  /** Writes before it returns, so that statements are sent in order. */
  #sendThen(config: Config, callback: Callback): void {
    const { text, values } = config;
    const hasValues = values !== undefined && values.length > 0;
    if (!hasValues) this.#noteTransaction(text);
    const use = { isInTransaction: this.#isInTransaction };
    const name = hasValues && config.isPrepared !== false ? this.#names.nameOf(text, use) : undefined;
    // Until Postgres has parsed a statement, the same text is sent without the name: on a pipelined connection all statements with the name
    // would fail with the first.
    if (name === undefined || this.#beingParsed.has(name))
      void super.query({ ...config, name: undefined }, callback);
    else this.#sendNamed(config, name, callback);
  }

  #sendNamed(config: Config, name: string, callback: Callback): void {
    const isInTransaction = this.#isInTransaction;
    if (!this.#parsed.has(name)) this.#beingParsed.add(name);
    void super.query({ ...config, name }, (error: Error | null, result?: QueryResult) => {
      this.#beingParsed.delete(name);
      if (!error) this.#parsed.add(name);
      if (!error || !isStalePlan(error)) return callback(error, result);
      this.#names.renew(config.text);
      // In a transaction, only the caller can start again.
      if (isInTransaction) return callback(error);
      void super.query({ ...config, name: undefined }, callback);
    });
  }

  async #sendTogether(statements: readonly Statement[]): Promise<QueryResult[]> {
    const named = statements.map(({ text, values = [] }) => {
      this.#noteTransaction(text);
      // If Postgres refuses the name of one of several statements, it cannot be sent again.
      return { name: this.#names.nameOf(text, { isInTransaction: true }), text, values: [...values] };
    });
    try {
      return await new Promise((resolve, reject) => {
        const query = new QueryOfSeveral(named, (error, results) => {
          if (error) reject(error);
          else resolve([results].flat() as QueryResult[]);
        });
        super.query(query);
      });
    } catch (error) {
      if (isStalePlan(error)) for (const { text } of named) this.#names.renew(text);
      throw error;
    }
  }

  #noteTransaction(text: string): void {
    if (BEGIN.test(text)) this.#isInTransaction = true;
    else if (END.test(text)) this.#isInTransaction = false;
  }
}

export function sessionOf(client: PoolClient): Session {
  if (client instanceof Session) return client;
  throw new TypeError("not a client of connectPostgres");
}

function configOf(statement: string | Config, values: unknown): Config {
  if (!Array.isArray(values)) return typeof statement === "string" ? { text: statement } : statement;
  return typeof statement === "string" ? { text: statement, values } : { ...statement, values };
}

function settingsStatement(settings: Readonly<Record<string, string>>): string {
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`,
  );
  return `select ${calls.join(", ")}`;
}

async function resultAfter<Result>(tenantSet: Promise<unknown>, sent: Promise<Result>): Promise<Result> {
  await Promise.allSettled([tenantSet, sent]);
  await tenantSet;
  return await sent;
}
