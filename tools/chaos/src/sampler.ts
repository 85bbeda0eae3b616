// Measures the processes, databases and queues of a running platform from outside, for `npm run tool -- soak`.
import { readdir } from "node:fs/promises";
import { execute, residentBytes } from "@tradepost/devstack";
import { requestManagement } from "@tradepost/testing";
import type { ChaosPlatform } from "./platform.ts";

const MEBIBYTE = 1_024 ** 2;
const TABLES = [
  ["orders", "outbox"],
  ["content", "outbox"],
  ["webhooks", "outbox"],
  ["webhooks", "deliveries"],
] as const;

/** The first word of each value's name decides how much it may grow: see `growth.ts`. */
export async function sample(platform: ChaosPlatform) {
  const all = [sampleProcesses(platform), sampleDatabases(platform), sampleQueues(platform)];
  const values = (await Promise.all(all)).flat();
  return Object.fromEntries(
    values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

type Named = readonly [name: string, value: number | undefined];

async function sampleProcesses({ services, pid: pidOf }: ChaosPlatform): Promise<Named[]> {
  const ofEach = services.map(async ({ name }): Promise<Named[]> => {
    const pid = pidOf(name);
    if (pid === null) return [];
    const bytes = residentBytes(pid);
    // Undefined without /proc.
    const handles = await readdir(`/proc/${pid}/fd`).catch(() => undefined);
    return [
      [`MiB ${name}`, bytes && Math.round(bytes / MEBIBYTE)],
      [`handles ${name}`, handles?.length],
    ];
  });
  return (await Promise.all(ofEach)).flat();
}

// Connections without a name are of this program.
const CONNECTIONS = `
  select application_name as name, count(*)::int as count from pg_stat_activity
   where application_name <> '' and backend_type = 'client backend'
   group by application_name
   order by application_name`;

async function sampleDatabases({ databases, superuserUrl = "" }: ChaosPlatform): Promise<Named[]> {
  // Only a superuser sees the connections of all the services' logins.
  const connections = await execute<{ name: string; count: number }>(superuserUrl, CONNECTIONS);
  const counts = TABLES.map(async ([database, table]): Promise<Named> => {
    const text = `select count(*)::int as count from ${table}`;
    const [row] = await execute<{ count: number }>(databases[database], text);
    return [`rows ${database}.${table}`, row?.count];
  });
  return [
    ...connections.map(({ name, count }): Named => [`connections ${name}`, count]),
    ...(await Promise.all(counts)),
  ];
}

async function sampleQueues({ rabbitmq }: ChaosPlatform): Promise<Named[]> {
  const queues = await requestManagement(rabbitmq.managementUrl, "GET", "/queues");
  return (queues as { name: string; messages?: number }[]).map(({ name, messages }) => [
    `messages ${name}`,
    messages,
  ]);
}
