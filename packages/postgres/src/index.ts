export { connectPostgres, type DatabaseAccess, type Postgres, type PostgresOptions } from "./connect.ts";
export { connectService, connectTenants, type TenantDatabases } from "./connect-tenants.ts";
export { isDatabaseUnavailable, retryWhileUnavailable, violatedConstraint } from "./database-errors.ts";
export {
  allOf,
  bytesOf,
  newestFirst,
  OLDEST_FIRST,
  oldestFirst,
  type PageRow,
  searchStatement,
  withinBytes,
} from "./list-statements.ts";
export { migrate, runMigrations } from "./migrate.ts";
export { newerMigrations, readExecutedMigrations } from "./migration-promises.ts";
export { ALWAYS_BY_KEY, ALWAYS_IN_INDEX_ORDER, BY_INDEX, IN_INDEX_ORDER } from "./planner-settings.ts";
export { rotateDayPartitions } from "./rotate-day-partitions.ts";
export type { Statement } from "./session.ts";
export { withoutTimeouts } from "./silent-server.ts";
export {
  arrayParametersOf,
  arraysOf,
  type Columns,
  columnsOf,
  completeJson,
  completeText,
  jsonTimeOf,
  namedStatement,
  newPlaceholder,
  parametersOf,
  placeholderColumns,
  type RowColumns,
  rowsAs,
  toStatement,
} from "./statements.ts";
export { queryUnprepared, type Tenant, tenantOf } from "./tenant.ts";
export { waitForMigrations } from "./wait-for-migrations.ts";
export { watchArchive } from "./watch-pool.ts";
export { inTransaction, queryTogether, readThenWrite, TAKE_ID, withClient } from "./with-client.ts";
