// What the operators' commands use. HTTP does not reach it.

export { tenantTables } from "./operator/tenant-tables.ts";
