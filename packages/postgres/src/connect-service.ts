// Opens the pools of a service with row-level security: requests act as the role of one tenant, and background work as a role that
// finds the work of all tenants. The service's migrations create both roles and grant their rights.
import type { Logger, Metrics, Tracer } from "@tradepost/runtime";
import { connectPostgres } from "./connect.ts";
import { connectTenants } from "./connect-tenants.ts";
import { BY_INDEX } from "./planner-settings.ts";
import { waitForMigrations } from "./wait-for-migrations.ts";

interface Pool {
  readonly role: string;
  /** The application name in pg_stat_activity. */
  readonly name: string;
  readonly connectionsMax: number;
}

/** Waits until the migrations of the folder have run, then opens the pools. They connect lazily. `stop` closes both. */
export async function connectService<Tables>(options: {
  url: string;
  folder: URL;
  tenants: Pool;
  workers: Pool;
  prepare: boolean;
  metrics: Metrics;
  tracer: Tracer;
  logger: Logger;
}) {
  const { url, folder, prepare, metrics, tracer, logger } = options;
  const roles = [options.workers.role, options.tenants.role] as const;
  const migration = await waitForMigrations({ url, roles, folder, logger });
  const shared = { url, prepare, settings: BY_INDEX, metrics, logger };
  const tenants = connectTenants<Tables>({ ...shared, ...options.tenants, tracer });
  const workers = connectPostgres<Tables>({ ...shared, ...options.workers });
  const stop = async () => {
    await workers.stop();
    await tenants.stop();
  };
  return { migration, tenants, workers, stop };
}
