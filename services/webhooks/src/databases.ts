// The pools of connections to the service's database. Each kind of work has its own, so that none waits for another's connections.
import { BY_INDEX, connectPostgres, connectTenants, tenantOf, waitForMigrations } from "@tradepost/postgres";
import { databaseAddress, type Logger, type Metrics, type Tracer } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import type { Tables } from "./tables.ts";

export type Databases = Awaited<ReturnType<typeof connectDatabases>>;

const CONNECTIONS_MAX = 10;
// Fan-out and dispatch run one batch at a time, and start another only if that one takes long.
const DELIVERY_CONNECTIONS_MAX = 6;
// `deliveries` is full at one moment and empty at the next, so the planner's statistics are wrong. With these settings, and the
// shape of the statements of fan-out and dispatch, each statement has one possible plan, by key (decision 0013). So each connection
// plans a statement only once: planning it for its values takes longer than a batch of one delivery.
const ALWAYS_BY_INDEX = {
  ...BY_INDEX,
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  plan_cache_mode: "force_generic_plan",
};
// However many clients of listeners there are, they take no connection from fan-out and dispatch.
const LEASE_CONNECTIONS_MAX = 4;
// Lists and counts end after a page, so they read an index in its order. A bitmap scan would first read all rows and sort them.
const IN_ORDER_OF_THE_INDEX = { ...BY_INDEX, enable_bitmapscan: "off" };
// A slow list of one tenant takes no connection from deliveries.
const TENANTS_CONNECTIONS_MAX = 4;
// The migrations create these roles and grant their rights.
export const DATABASE_ROLE = "tradepost_webhooks";
const TENANTS_ROLE = "tradepost_webhooks_tenant";

/** Waits until the migrations have run, then opens the pools. They connect lazily. */
export async function connectDatabases(
  settings: Settings,
  { metrics, tracer, logger }: { metrics: Metrics; tracer: Tracer; logger: Logger },
) {
  const url = databaseAddress(settings.WEBHOOKS_DATABASE_URL, settings);
  const folder = new URL("../migrations/", import.meta.url);
  const migration = await waitForMigrations({ url, roles: [DATABASE_ROLE, TENANTS_ROLE], folder, logger });
  const shared = { url, prepare: settings.POSTGRES_PREPARE, metrics, logger };
  const main = connectPostgres<Tables>({
    ...shared,
    role: DATABASE_ROLE,
    name: "webhooks",
    connectionsMax: CONNECTIONS_MAX,
    settings: BY_INDEX,
  });
  const deliveries = connectPostgres<Tables>({
    ...shared,
    role: DATABASE_ROLE,
    name: "webhooks.deliveries",
    connectionsMax: DELIVERY_CONNECTIONS_MAX,
    settings: ALWAYS_BY_INDEX,
  });
  const leases = connectPostgres<Tables>({
    ...shared,
    role: DATABASE_ROLE,
    name: "webhooks.leases",
    connectionsMax: LEASE_CONNECTIONS_MAX,
    settings: ALWAYS_BY_INDEX,
  });
  const tenants = connectTenants<Tables>({
    ...shared,
    role: TENANTS_ROLE,
    name: "webhooks.tenants",
    connectionsMax: TENANTS_CONNECTIONS_MAX,
    settings: IN_ORDER_OF_THE_INDEX,
    tracer,
  });
  const all = [main, deliveries, leases, tenants];
  const open = new AsyncDisposableStack();
  for (const one of all) open.defer(() => one.stop());
  return {
    url,
    migration,
    main,
    deliveries,
    leases,
    tenants,
    /** A tenant's rows in the main pool, which may change them. */
    writers: { of: (tenantId: string) => tenantOf(main.db, tenantId) },
    ping: async () => void (await Promise.all(all.map(({ ping }) => ping()))),
    stop: () => open.disposeAsync(),
  };
}
