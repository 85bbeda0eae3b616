// The gateway's connections to its database.
import { BY_INDEX, connectPostgres, waitForMigrations } from "@tradepost/postgres";
import { databaseAddress, type Logger, type Metrics } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import type { Tables } from "./tables.ts";

const CONNECTIONS_MAX = 20;
/** The role that the service uses. The migrations create it and grant its rights. */
export const DATABASE_ROLE = "tradepost_gateway";

/** Resolves once the database is migrated. */
export async function connectDatabase(settings: Settings, metrics: Metrics, logger: Logger) {
  const url = databaseAddress(settings.GATEWAY_DATABASE_URL, settings);
  const folder = new URL("../migrations/", import.meta.url);
  const migration = await waitForMigrations({ url, roles: [DATABASE_ROLE], folder, logger });
  const postgres = connectPostgres<Tables>({
    url,
    name: "gateway",
    connectionsMax: CONNECTIONS_MAX,
    prepare: settings.POSTGRES_PREPARE,
    role: DATABASE_ROLE,
    // Without a generic plan, Postgres would plan the lookups of each request again for each number of keys.
    settings: { ...BY_INDEX, plan_cache_mode: "force_generic_plan" },
    metrics,
    logger,
  });
  return { url, migration, ...postgres };
}
