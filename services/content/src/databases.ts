// The pools of connections to the database: requests act as the role of one tenant, and background work as a role that finds
// the work of all tenants. The migrations create both roles and grant their rights.
import { BY_INDEX, connectPostgres, connectTenants, waitForMigrations } from "@tradepost/postgres";
import { databaseAddress, type Logger, type Metrics, type Tracer } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import type { Tables } from "./tables.ts";

export const TENANTS_ROLE = "tradepost_content";
export const WORKER_ROLE = "tradepost_content_worker";

const TENANTS_CONNECTIONS_MAX = 16;
const WORKER_CONNECTIONS_MAX = 2;

/** Waits until the migrations have run, then opens the pools. They connect lazily. */
export async function connectDatabases(
  settings: Settings,
  { metrics, tracer, logger }: { metrics: Metrics; tracer: Tracer; logger: Logger },
) {
  const url = databaseAddress(settings.CONTENT_DATABASE_URL, settings);
  const folder = new URL("../migrations/", import.meta.url);
  const migration = await waitForMigrations({ url, roles: [WORKER_ROLE, TENANTS_ROLE], folder, logger });
  const shared = { url, prepare: settings.POSTGRES_PREPARE, settings: BY_INDEX, metrics, logger };
  const tenants = connectTenants<Tables>({
    ...shared,
    role: TENANTS_ROLE,
    name: "content",
    connectionsMax: TENANTS_CONNECTIONS_MAX,
    tracer,
  });
  const workers = connectPostgres<Tables>({
    ...shared,
    role: WORKER_ROLE,
    name: "content.workers",
    connectionsMax: WORKER_CONNECTIONS_MAX,
  });
  const stop = async () => {
    await workers.stop();
    await tenants.stop();
  };
  return { url, migration, tenants, workers, stop };
}
