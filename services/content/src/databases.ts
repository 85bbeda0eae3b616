// The connections to the database: requests act as the role of one tenant, and the background work as a role that finds
// work that is due. The migrations create both roles and grant their permissions.
import { BY_INDEX, connectPostgres, connectTenants } from "@tradepost/postgres";
import type { Logger, Metrics, Tracer } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import type { Tables } from "./tables.ts";

export const TENANTS_ROLE = "tradepost_content";
export const WORKER_ROLE = "tradepost_content_worker";

const TENANTS_CONNECTIONS_MAX = 16;
const WORKER_CONNECTIONS_MAX = 2;

export function connectDatabases(
  url: string,
  { POSTGRES_PREPARE: prepare }: Settings,
  { metrics, tracer, logger }: { metrics: Metrics; tracer: Tracer; logger: Logger },
) {
  const tenants = connectTenants<Tables>({
    url,
    role: TENANTS_ROLE,
    name: "content",
    connectionsMax: TENANTS_CONNECTIONS_MAX,
    prepare,
    settings: BY_INDEX,
    metrics,
    tracer,
    logger,
  });
  const workers = connectPostgres<Tables>({
    url,
    role: WORKER_ROLE,
    name: "content.workers",
    connectionsMax: WORKER_CONNECTIONS_MAX,
    prepare,
    settings: BY_INDEX,
    metrics,
    logger,
  });
  return { tenants, workers };
}
