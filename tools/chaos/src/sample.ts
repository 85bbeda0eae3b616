// Measures a running platform at one moment, for `npm run soak`: what its processes hold, what its databases and queues hold.
// Nothing is asked of the services themselves.
import { readdir } from "node:fs/promises";
import { askManagement } from "@tradepost/ops/management";
import pg from "pg";
import type { ChaosPlatform } from "./platform.ts";
import { residentMiB } from "./process-memory.ts";

const OUR_NAME = "soak";
const TABLES = [
  ["orders", "outbox"],
  ["content", "outbox"],
  ["webhooks", "outbox"],
  ["webhooks", "deliveries"],
] as const;

/** Out: what measures, by the names that `growth.ts` knows, and what lets go of the databases. */
export function startSampling({ databases, rabbitmq, services, pid: pidOf }: ChaosPlatform) {
  const pools = Object.fromEntries(
    Object.entries(databases).map(([name, url]) => [
      name,
      new pg.Pool({ connectionString: url, application_name: OUR_NAME, max: 1 }),
    ]),
  );
  const ask = async <Row extends pg.QueryResultRow>(database: string, text: string) =>
    (await pools[database]?.query<Row>(text))?.rows ?? [];

  async function ofProcesses(): Promise<Record<string, number>[]> {
    return await Promise.all(
      services.map(async ({ name }) => {
        const pid = pidOf(name);
        // During a restart.
        if (pid === null) return {};
        return {
          ...named(`MiB ${name}`, await residentMiB(pid)),
          ...named(`handles ${name}`, await handles(pid)),
        };
      }),
    );
  }

  async function ofDatabases(): Promise<Record<string, number>[]> {
    const counts = TABLES.map(async ([database, table]) => {
      const [row] = await ask<{ count: number }>(database, `select count(*)::int as count from ${table}`);
      return named(`rows ${database}.${table}`, row?.count);
    });
    // All services log in as one role, whose connections each of them may see.
    const connections = await ask<{ name: string; count: number }>("gateway", CONNECTIONS);
    return [
      ...connections.map(({ name, count }) => named(`connections ${name}`, count)),
      ...(await Promise.all(counts)),
    ];
  }

  async function ofQueues(): Promise<Record<string, number>[]> {
    const queues = (await askManagement(rabbitmq.managementUrl, "/queues")) as {
      name: string;
      messages?: number;
    }[];
    return queues.map(({ name, messages }) => named(`messages ${name}`, messages));
  }

  return {
    take: async (): Promise<Record<string, number>> => {
      const all = await Promise.all([ofProcesses(), ofDatabases(), ofQueues()]);
      return Object.assign({}, ...all.flat());
    },
    stop: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.end()))),
  };
}

const CONNECTIONS = `
  select application_name as name, count(*)::int as count from pg_stat_activity
   where application_name not in ('', '${OUR_NAME}') and usename = current_user
   group by application_name
   order by application_name`;

function named(name: string, value: number | undefined): Record<string, number> {
  return value === undefined ? {} : { [name]: value };
}

/** Undefined where there is no /proc. */
async function handles(pid: number): Promise<number | undefined> {
  return (await readdir(`/proc/${pid}/fd`).catch(() => undefined))?.length;
}
