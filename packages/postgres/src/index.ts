// The public surface of postgres: a pool, its Kysely face, the same for one tenant, migrations, and what an error means.
export { connectPostgres, type Postgres } from "./connect.ts";
export {
  connectTenants,
  type TenantDatabase,
  type TenantDatabases,
  type TenantStatements,
} from "./connect-tenants.ts";
export { isDatabaseUnavailable, violatedConstraint } from "./database-errors.ts";
export { keepDays } from "./day-partitions.ts";
export { inTransaction } from "./in-transaction.ts";
export { migrate } from "./migrate.ts";
export { newestFirst } from "./newest-first.ts";
export { onceDatabaseServes } from "./once-database-serves.ts";
export { untilMigrated } from "./until-migrated.ts";
