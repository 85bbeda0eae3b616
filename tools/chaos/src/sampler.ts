// Measures the processes, databases and queues of a running platform from outside, for `npm run tool -- soak`.
import { readdir, readFile } from "node:fs/promises";
import { askManagement } from "@tradepost/ops/management";
import pg from "pg";
import type { ChaosPlatform } from "./platform.ts";

const APPLICATION_NAME = "soak";
const TABLES = [
  ["orders", "outbox"],
  ["content", "outbox"],
  ["webhooks", "outbox"],
  ["webhooks", "deliveries"],
] as const;

type Values = Readonly<Record<string, number>>;

/** The first word of each value's name decides how much it may grow: see `growth.ts`. */
export function createSampler({ databases, superuserUrl, rabbitmq, services, pid: pidOf }: ChaosPlatform) {
  const pools = Object.fromEntries(
    Object.entries({ ...databases, server: superuserUrl }).map(([name, url]) => [
      name,
      new pg.Pool({ connectionString: url, application_name: APPLICATION_NAME, max: 1 }),
    ]),
  );
  const query = async <Row extends pg.QueryResultRow>(database: string, text: string) =>
    (await pools[database]?.query<Row>(text))?.rows ?? [];

  async function sampleProcesses(): Promise<Values[]> {
    return await Promise.all(
      services.map(async ({ name }) => {
        const pid = pidOf(name);
        if (pid === null) return {};
        return {
          ...named(`MiB ${name}`, await residentMiB(pid)),
          ...named(`handles ${name}`, await countHandles(pid)),
        };
      }),
    );
  }

  async function sampleDatabases(): Promise<Values[]> {
    const counts = TABLES.map(async ([database, table]) => {
      const [row] = await query<{ count: number }>(database, `select count(*)::int as count from ${table}`);
      return named(`rows ${database}.${table}`, row?.count);
    });
    // Only a superuser sees the connections of all the services' logins.
    const connections = await query<{ name: string; count: number }>("server", CONNECTIONS);
    return [
      ...connections.map(({ name, count }) => named(`connections ${name}`, count)),
      ...(await Promise.all(counts)),
    ];
  }

  async function sampleQueues(): Promise<Values[]> {
    const queues = (await askManagement(rabbitmq.managementUrl, "/queues")) as {
      name: string;
      messages?: number;
    }[];
    return queues.map(({ name, messages }) => named(`messages ${name}`, messages));
  }

  return {
    sample: async (): Promise<Values> => {
      const all = await Promise.all([sampleProcesses(), sampleDatabases(), sampleQueues()]);
      return Object.assign({}, ...all.flat());
    },
    stop: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.end()))),
  };
}

const CONNECTIONS = `
  select application_name as name, count(*)::int as count from pg_stat_activity
   where application_name not in ('', '${APPLICATION_NAME}') and backend_type = 'client backend'
   group by application_name
   order by application_name`;

function named(name: string, value: number | undefined): Values {
  return value === undefined ? {} : { [name]: value };
}

/** Undefined without /proc. */
async function countHandles(pid: number): Promise<number | undefined> {
  return (await readdir(`/proc/${pid}/fd`).catch(() => undefined))?.length;
}

/** The resident memory. Undefined without /proc, or if the process has exited. */
async function residentMiB(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kibibytes === undefined ? undefined : Math.round(Number(kibibytes) / 1_024);
}
