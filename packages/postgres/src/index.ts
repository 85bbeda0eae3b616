// The public surface of postgres: see README.md.
export { BY_INDEX, connectPostgres, type Postgres } from "./connect.ts";
export { connectTenants, type TenantDatabases } from "./connect-tenants.ts";
export { isDatabaseUnavailable, violatedConstraint } from "./database-errors.ts";
export { migrate } from "./migrate.ts";
export { newerMigrations, readExecutedMigrations } from "./migration-promises.ts";
export { type Columns, columnsOf, namedStatement, parametersOf } from "./named-statement.ts";
export {
  bytesOf,
  newestFirst,
  OLDEST_FIRST,
  oldestFirst,
  type PageRow,
  withinBytes,
} from "./newest-first.ts";
export { retryWhileUnavailable } from "./retry-while-unavailable.ts";
export { rotateDayPartitions } from "./rotate-day-partitions.ts";
export { allOf, searchStatement } from "./search-statement.ts";
export type { Statement } from "./session.ts";
export { withoutTimeouts } from "./silent-server.ts";
export {
  type Tenant,
  type TenantDatabase,
  type TenantStatements,
  type TransactionalTenant,
  tenantOf,
} from "./tenant.ts";
export { waitForMigrations } from "./wait-for-migrations.ts";
export { watchArchive } from "./watch-pool.ts";
export { inTransaction, queryTogether, readThenWrite, withClient } from "./with-client.ts";
