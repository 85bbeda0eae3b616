// The pools of the service's database. Each kind of work has its own, so that none waits for another's connections.
import {
  ALWAYS_BY_KEY,
  BY_INDEX,
  connectPostgres,
  connectTenants,
  IN_INDEX_ORDER,
  tenantOf,
  waitForMigrations,
} from "@tradepost/postgres";
import { databaseAddress, type Logger, type Metrics, type Tracer } from "@tradepost/runtime";
import { DATABASE, type Settings } from "./config.ts";
import type { Tables } from "./tables.ts";

export type Databases = Awaited<ReturnType<typeof connectDatabases>>;

const CONNECTIONS_MAX = 10;
// Fan-out and dispatch run one batch at a time, and start another only if the current batch takes long.
const DELIVERY_CONNECTIONS_MAX = 6;
// However many clients of listeners there are, they take no connection from fan-out and dispatch.
const LEASE_CONNECTIONS_MAX = 4;
// A slow list of one tenant takes no connection from deliveries.
const TENANTS_CONNECTIONS_MAX = 4;
const [DATABASE_ROLE, TENANTS_ROLE] = DATABASE.roles;

/** Waits for the migrations, then opens the pools, which connect lazily. */
export async function connectDatabases(
  settings: Settings,
  { metrics, tracer, logger }: { metrics: Metrics; tracer: Tracer; logger: Logger },
) {
  const url = databaseAddress(settings.WEBHOOKS_DATABASE_URL, settings);
  const migration = await waitForMigrations({ url, ...DATABASE, logger });
  const shared = { url, prepare: settings.POSTGRES_PREPARE, metrics, logger };
  const open = (name: string, connectionsMax: number, planning: Readonly<Record<string, string>>) =>
    connectPostgres<Tables>({ ...shared, role: DATABASE_ROLE, name, connectionsMax, settings: planning });
  const main = open("webhooks", CONNECTIONS_MAX, BY_INDEX);
  const deliveries = open("webhooks.deliveries", DELIVERY_CONNECTIONS_MAX, ALWAYS_BY_KEY);
  const leases = open("webhooks.leases", LEASE_CONNECTIONS_MAX, ALWAYS_BY_KEY);
  const tenants = connectTenants<Tables>({
    ...shared,
    role: TENANTS_ROLE,
    name: "webhooks.tenants",
    connectionsMax: TENANTS_CONNECTIONS_MAX,
    settings: IN_INDEX_ORDER,
    tracer,
  });
  const all = [main, deliveries, leases, tenants];
  const opened = new AsyncDisposableStack();
  for (const one of all) opened.defer(() => one.stop());
  return {
    url,
    migration,
    main,
    deliveries,
    leases,
    tenants,
    writers: { of: (tenantId: string) => tenantOf(main.db, tenantId) },
    ping: async () => void (await Promise.all(all.map(({ ping }) => ping()))),
    stop: () => opened.disposeAsync(),
  };
}
