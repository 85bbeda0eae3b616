// Reads how the platform is: every process, database and queue at once, each within two seconds.

import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { ALWAYS_IN_INDEX_ORDER } from "@tradepost/postgres";
import { vhostOf } from "@tradepost/runtime";
import { countEndpoints, readOldestWaiting } from "@tradepost/webhooks/operate";
import { z } from "zod";
import { type Addresses, dataDirectory, SERVICES, type ServiceName } from "../addresses.ts";
import type { Operator } from "../arguments.ts";
import { askManagement } from "../management.ts";
import type { Pool } from "../with-database.ts";

const TIMEOUT_MS = 2_000;
const DAY_MS = 86_400_000;

export type Status = Awaited<ReturnType<typeof readStatus>>;
export type Process = Awaited<ReturnType<typeof readProcess>>;
export type Broker = Awaited<ReturnType<typeof readBroker>>;
export type Deliveries = Awaited<ReturnType<typeof readDeliveries>>;

export interface Database {
  readonly service: ServiceName;
  readonly version: string;
  readonly connections: number;
  readonly connectionsMax: number;
  readonly bytes: number;
  /** The standbys, as "name state", and whether commits wait for one. */
  readonly standbys: readonly string[];
  readonly waitsForStandby: boolean;
  readonly hasSyncStandby: boolean;
  readonly outbox: Outbox;
}

interface Outbox {
  readonly pending: number;
  readonly parked: number;
  readonly oldestSeconds: number;
}

export interface Aged {
  readonly name: string;
  readonly ageDays: number;
  /** Null for a secret. */
  readonly daysLeft: number | null;
}

/** A part is null if it cannot be reached. */
export async function readStatus(operator: Operator) {
  const addresses = operator.addresses();
  const options = { statementTimeoutMs: TIMEOUT_MS, settings: ALWAYS_IN_INDEX_ORDER };
  const pool = <Result>(service: ServiceName, work: (pool: Pool) => Promise<Result>) =>
    operator.ifReachable(operator.on(service, (_, pool) => work(pool), options));
  const found = SERVICES.map(
    async (service) => [service, await pool(service, (of) => readDatabase(service, of))] as const,
  );
  const [read, broker, deliveries, nearQuota, processes] = await Promise.all([
    Promise.all(found),
    operator.ifReachable(readBroker(addresses)),
    pool("webhooks", readDeliveries),
    pool("gateway", countNearQuota),
    Promise.all(
      Object.entries(addresses.services ?? {}).flatMap(([service, processes]) =>
        processes.map((process) => readProcess(service as ServiceName, process)),
      ),
    ),
  ]);
  return {
    processes,
    databases: Object.fromEntries(read) as Record<ServiceName, Database | null>,
    ...{ broker, deliveries, tenantsNearQuota: nearQuota },
    ...{ certificates: readCertificates(), secrets: readSecrets() },
  };
}

const readiness = z.object({ missing: z.array(z.string()) });

async function readProcess(
  service: ServiceName,
  { url, metricsUrl }: { url: string; metricsUrl?: string | undefined },
) {
  const [ready, metrics] = await Promise.all([
    get(`${url}/readyz`).then(
      async (response) => ({ isReady: response.ok, ...readiness.parse(await response.json()) }),
      () => ({ isReady: false, missing: ["does not respond"] }),
    ),
    metricsUrl === undefined
      ? ""
      : get(metricsUrl).then(
          (response) => response.text(),
          () => "",
        ),
  ]);
  const startedAt = Number(/^process_start_time_seconds(?:\{.*\})? (\S+)$/m.exec(metrics)?.[1]);
  return {
    ...{ service, url },
    // Null if the metrics cannot be read.
    version: /^build_info\{[^}]*version="([^"]*)"/m.exec(metrics)?.[1] ?? null,
    since: startedAt > 0 ? new Date(startedAt * 1_000) : null,
    ...ready,
  };
}

function get(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
}

async function readDatabase(service: ServiceName, pool: Pool): Promise<Database> {
  const [row] = (await pool.query<Omit<Database, "service">>(DATABASE)).rows;
  return { service, ...(row as Omit<Database, "service">) };
}

// The oldest row of each shard is the first in the index `outbox_pending`.
const DATABASE = `
  select current_setting('server_version') as version,
         (select count(*) from pg_stat_activity where backend_type = 'client backend')::integer as connections,
         current_setting('max_connections')::integer as "connectionsMax",
         pg_database_size(current_database())::float8 as bytes,
         array(select application_name || ' ' || state from pg_stat_replication order by 1) as standbys,
         current_setting('synchronous_standby_names') <> '' as "waitsForStandby",
         exists (select from pg_stat_replication where sync_state in ('sync', 'quorum')) as "hasSyncStandby",
         json_build_object(
           'pending', (select count(*) from (select from outbox where parked_at is null limit 100000) as pending),
           'parked', (select count(*) from (select from outbox where parked_at is not null limit 100000) as parked),
           'oldestSeconds', coalesce((
             select greatest(0, extract(epoch from clock_timestamp() - min(oldest.occurred_at)))
               from generate_series(0, 3) as each (shard),
                    lateral (select occurred_at from outbox
                              where outbox.shard >= each.shard and outbox.shard <= each.shard and parked_at is null
                              order by outbox.shard, id limit 1) as oldest), 0)::float8) as outbox`;

async function readDeliveries(pool: Pool) {
  const [{ seconds }, { dead, down, notices }] = await Promise.all([
    readOldestWaiting(pool),
    countEndpoints(pool),
  ]);
  return { oldestWaitingSeconds: seconds, dead, endpointsDown: down, notices };
}

async function countNearQuota(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::integer as count from tenants where near_quotas <> '{}'",
  );
  return rows[0]?.count ?? 0;
}

const overview = z.object({
  rabbitmq_version: z.string(),
  object_totals: z.object({ queues: z.number() }),
  queue_totals: z.object({ messages: z.number().default(0) }).default({ messages: 0 }),
});
const nodes = z.array(
  z.object({
    name: z.string(),
    running: z.boolean(),
    mem_alarm: z.boolean().default(false),
    disk_free_alarm: z.boolean().default(false),
  }),
);
const queues = z.array(z.object({ name: z.string(), messages: z.number().default(0) }));

async function readBroker({ amqpUrl, managementUrl }: Addresses) {
  const vhost = encodeURIComponent(vhostOf(amqpUrl));
  const ask = (apiPath: string) => askManagement(managementUrl, apiPath, TIMEOUT_MS);
  const [about, members, all] = await Promise.all([
    ask("/overview").then((json) => overview.parse(json)),
    ask("/nodes").then((json) => nodes.parse(json)),
    ask(`/queues/${vhost}?columns=name,messages`).then((json) => queues.parse(json)),
  ]);
  return {
    version: about.rabbitmq_version,
    alarms: members.flatMap(({ name, running, mem_alarm, disk_free_alarm }) => [
      ...(running ? [] : [`${name} is down`]),
      ...(mem_alarm ? [`${name} has too little memory`] : []),
      ...(disk_free_alarm ? [`${name} has too little disk`] : []),
    ]),
    queues: all.length,
    messages: all.reduce((sum, { messages }) => sum + messages, 0),
    poison: all
      .filter(({ name }) => name.endsWith(".poison"))
      .reduce((sum, { messages }) => sum + messages, 0),
  };
}

/** The certificates of the authorities that the settings name. */
function readCertificates(): Aged[] {
  return ["POSTGRES_CA_FILE", "AMQP_CA_FILE"].flatMap((name) => {
    const file = process.env[name];
    if (!file) return [];
    const { validFromDate, validToDate } = new X509Certificate(readFileSync(file));
    return [{ name, ageDays: daysSince(validFromDate), daysLeft: -daysSince(validToDate) }];
  });
}

/** The file in which `npm start` keeps its secrets; other deployments keep theirs where these commands do not look. */
function readSecrets(): Aged[] {
  const file = path.join(dataDirectory(), "secrets.json");
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? [] : [{ name: file, ageDays: daysSince(found.mtime), daysLeft: null }];
}

function daysSince(time: Date): number {
  return Math.floor((Date.now() - time.getTime()) / DAY_MS);
}
