// The public surface of postgres: see README.md.
export { BY_INDEX, connectPostgres, type Postgres } from "./connect.ts";
export { connectTenants, type TenantDatabases } from "./connect-tenants.ts";
export { isDatabaseUnavailable, violatedConstraint } from "./database-errors.ts";
export { inTransaction } from "./in-transaction.ts";
export { migrate } from "./migrate.ts";
export { type Columns, columnsOf, namedStatement, parametersOf } from "./named-statement.ts";
export { bytesOf, newestFirst, type PageRow, withinBytes } from "./newest-first.ts";
export { queryTogether, type Statement } from "./query-together.ts";
export { readThenWrite } from "./read-then-write.ts";
export { retryWhileUnavailable } from "./retry-while-unavailable.ts";
export { rotateDayPartitions } from "./rotate-day-partitions.ts";
export { withoutTimeouts } from "./silent-server.ts";
export { type Tenant, type TransactionalTenant, tenantOf } from "./tenant.ts";
export type { TenantDatabase, TenantStatements } from "./tenant-database.ts";
export { sharedTenantTables, type TenantTable } from "./tenant-table.ts";
export { waitForMigrations } from "./wait-for-migrations.ts";
