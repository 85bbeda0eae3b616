// Finds prepared statements whose plans suit only small tables: Postgres keeps a plan until the next analyze.
import net from "node:net";
import pg from "pg";
import { joinSockets, listenLocally } from "./listen-locally.ts";
import { type RecordedStatement, readStatements } from "./recorded-statements.ts";

export type StatementRecorder = Awaited<ReturnType<typeof recordStatements>>;

/** A proxy in front of the database. `databaseUrl` is the superuser's, without TLS. */
export async function recordStatements(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const recorded = new Map<string, RecordedStatement>();
  const proxy = net.createServer((client) => {
    // A prepared statement has one plan. Other statements have one plan for each set of values.
    const read = readStatements((one) =>
      recorded.set(JSON.stringify([one.options, one.text, one.isPrepared || one.values]), one),
    );
    client.on("data", read);
    joinSockets(client, net.connect(Number(port), hostname));
  });
  const local = await listenLocally(proxy);
  // Statements without values, such as `begin`, have no interesting plan.
  const prepared = (isPrepared: boolean) =>
    [...recorded.values()].filter(
      (one) => one.isPrepared === isPrepared && (isPrepared || one.values.length > 0),
    );
  return {
    /** The database's URL through the recorder, for the service. */
    through: (url: string) => {
      const proxied = new URL(url);
      proxied.host = `127.0.0.1:${local.port}`;
      return proxied.href;
    },
    texts: () => [...recorded.values()].map(({ text }) => text),
    /**
     * Plans all recorded statements as the service did, while the tables are small. Then calls `fill`, which inserts many rows,
     * and executes them with these plans and their latest values, each in a transaction that is rolled back. Returns those that
     * read more than 5,000 rows of a table. Stop the service first.
     */
    largeReads: (fill: (owner: pg.Client) => Promise<void>) =>
      largeReads(databaseUrl, prepared(true), fill, "kept"),
    /** Likewise for statements that are not prepared, each with a plan for its values. Fill the tables first. */
    largeReadsByValue: () => largeReads(databaseUrl, prepared(false), async () => undefined, "by value"),
    stop: local.stop,
  };
}

async function largeReads(
  databaseUrl: string,
  statements: readonly RecordedStatement[],
  fill: (owner: pg.Client) => Promise<void>,
  plans: "kept" | "by value",
) {
  const owner = new pg.Client(databaseUrl);
  await owner.connect();
  const sessions = new Map<string, pg.Client>();
  try {
    await owner.query(NO_AUTOVACUUM);
    // The statistics of nearly empty tables lead to the worst plans.
    await owner.query("vacuum analyze");
    for (const { options } of statements) {
      if (sessions.has(options)) continue;
      // The setting is passed in `options` (`-c plan_cache_mode=…`), so that every statement has a generic plan.
      const client = new pg.Client({
        connectionString: databaseUrl,
        options: `${options} ${plans === "kept" ? GENERIC : CUSTOM} ${LOCKED_SHARDS}`,
      });
      await client.connect();
      sessions.set(options, client);
    }
    const sessionOf = ({ options }: RecordedStatement) => sessions.get(options) as pg.Client;
    for (const [index, statement] of statements.entries()) {
      const session = sessionOf(statement);
      await session.query(`prepare recorded_${index} as ${statement.text}`);
      await setTenant(session, statement);
      await session.query(`explain execute recorded_${index}${valuesOf(statement)}`);
    }
    await fill(owner);
    const found: { text: string; scans: string[] }[] = [];
    for (const [index, statement] of statements.entries()) {
      const scans = await largeScans(sessionOf(statement), `recorded_${index}`, statement);
      if (scans.length > 0) found.push({ text: statement.text, scans });
    }
    return found;
  } finally {
    for (const client of [owner, ...sessions.values()]) await client.end();
  }
}

async function setTenant(session: pg.Client, { tenant }: RecordedStatement): Promise<void> {
  if (tenant !== null)
    await session.query("select set_config('tradepost.tenant_id', $1, false)", [tenant[0]]);
}

/** A node of a plan in JSON. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

async function largeScans(session: pg.Client, name: string, statement: RecordedStatement): Promise<string[]> {
  await setTenant(session, statement);
  const explain = async (options: string) => {
    await session.query("begin");
    try {
      const { rows } = await session.query(
        `explain (${options}format json) execute ${name}${valuesOf(statement)}`,
      );
      return nodesOf(rows[0]["QUERY PLAN"][0].Plan);
    } finally {
      await session.query("rollback");
    }
  };
  try {
    const nodes = await explain("analyze, timing off, ");
    return nodes.flatMap((node) => {
      const count = rowsReadBy(node);
      return count > ROWS_MAX
        ? `${node["Node Type"]} ${node["Index Name"] ?? ""} on ${node["Relation Name"]}: ${count}`
        : [];
    });
  } catch (error) {
    if ((error as pg.DatabaseError).code === STATEMENT_TIMED_OUT)
      return [`not finished after ${TIMEOUT_S} s`];
    // Executing the statement again violates a constraint. Without execution, only the kind of scan is known.
    const nodes = await explain("");
    return nodes.flatMap((node) =>
      node["Node Type"] === "Seq Scan" ? `Seq Scan on ${node["Relation Name"]}` : [],
    );
  }
}

/** The node and all nodes below it. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** The rows that the node itself reads from its table. */
export function rowsReadBy(node: PlanNode): number {
  if (node["Relation Name"] === undefined) return 0;
  const perLoop =
    (node["Actual Rows"] ?? 0) +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  return perLoop * (node["Actual Loops"] ?? 0);
}

function valuesOf({ values }: RecordedStatement): string {
  if (values.length === 0) return "";
  return `(${values.map((value) => (value === null ? "null" : pg.escapeLiteral(value))).join(", ")})`;
}

const STATEMENT_TIMED_OUT = "57014";
const TIMEOUT_S = 20;
const CUSTOM = `-c plan_cache_mode=force_custom_plan -c statement_timeout=${TIMEOUT_S}s`;
const GENERIC = `-c plan_cache_mode=force_generic_plan -c statement_timeout=${TIMEOUT_S}s`;
// In the relay, the statement that locks shards leaves them in this setting for the statement that claims rows.
const LOCKED_SHARDS = "-c tradepost.locked_shards={0,1,2,3}";

const ROWS_MAX = 5_000;

const NO_AUTOVACUUM = `
  do $$ declare t regclass; begin
    for t in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = off)', t);
    end loop;
  end $$`;
