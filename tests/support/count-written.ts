// Counts the writes of a Postgres server, by its own statistics and by its WAL.
import pg from "pg";
import type { Counts } from "./counts.ts";

/** `databases` are the URLs of the services' databases on the server. */
export async function countWritten(serverUrl: string, databases: Readonly<Record<string, string>>) {
  const connect = async (url: string) => {
    const client = new pg.Client(url);
    await client.connect();
    return client;
  };
  const server = await connect(serverUrl);
  const services = new Map<string, pg.Client>();
  for (const [service, url] of Object.entries(databases)) services.set(service, await connect(url));
  await server.query("create extension pg_walinspect");
  const walRecords = new Map<string, number>();
  let position = await endOfWal(server);

  async function readWal(): Promise<void> {
    const names = new Map<string, string>();
    for (const [service, client] of services) {
      const { rows } = await client.query(FILES);
      for (const { file, name } of rows) names.set(file, `${service}.${name}`);
    }
    const start = position;
    position = await endOfWal(server);
    const { rows } = await server.query(RECORDS, [start, position]);
    for (const { kind, file, count } of rows) {
      const name = `WAL record: ${kind} ${names.get(file) ?? file ?? ""}`;
      for (const counted of ONCE_FOR_MANY.test(name) ? [name] : [name, "WAL records"])
        walRecords.set(counted, (walRecords.get(counted) ?? 0) + count);
    }
  }

  return {
    read: async (): Promise<Counts> => {
      await readWal();
      const { rows } = await server.query("select wal_bytes::int, wal_sync::int from pg_stat_wal");
      const counts = new Map<string, number>(walRecords);
      counts.set("kB of WAL", rows[0].wal_bytes / 1_000);
      counts.set("flushes", rows[0].wal_sync);
      for (const [service, client] of services) {
        const written = await client.query(ROWS_WRITTEN);
        for (const { name, count } of written.rows) counts.set(`rows: ${service}.${name}`, count);
      }
      return counts;
    },
    /** Reports whether the log of requests has all `calls`, and the orders service has summed up its figures. */
    isComplete: async (calls: number): Promise<boolean> => {
      const logged = await services.get("gateway")?.query("select count(*)::int as count from requests");
      const deltas = await services.get("orders")?.query("select from order_deltas limit 1");
      return logged?.rows[0].count >= calls && deltas?.rowCount === 0;
    },
    stop: async () => {
      for (const client of [server, ...services.values()]) await client.end();
    },
  };
}

/** Returns the end of the WAL, and flushes the WAL up to it, by the commit of a transaction that has written, so that it can be read. */
async function endOfWal(server: pg.Client): Promise<string> {
  const { rows } = await server.query(
    "select pg_logical_emit_message(true, '', '')::text as position, pg_stat_force_next_flush()",
  );
  return rows[0].position;
}

// One of these is written for several changes together, and how many come together differs between runs.
const ONCE_FOR_MANY = /Transaction|Standby|LogicalMessage|gateway\.(api_keys|audit_tallies|request_days)$/;

// A partition counts for its table.
const ROWS_WRITTEN = `
  select coalesce(pg_partition_root(relid)::regclass::text, relname) as name, sum(n_tup_ins + n_tup_upd + n_tup_del)::int as count
    from pg_stat_user_tables group by 1`;

const FILES = `
  select database.oid || '/' || pg_relation_filenode(relation.oid) as file,
         coalesce(pg_partition_root(relation.oid), relation.oid)::regclass::text as name
    from pg_class relation, pg_database database where datname = current_database() and relkind in ('r', 'i', 't', 'S')`;

const RECORDS = `
  select resource_manager || ' ' || record_type as kind, substring(block_ref from 'rel \\d+/(\\d+/\\d+)') as file, count(*)::int
    from pg_get_wal_records_info($1, $2) group by 1, 2`;
