// The functions behind the operators' commands. HTTP does not reach them.

export { type LostOrder, readLostOrders } from "./operator/lost-orders.ts";
export { readCounters, type SkippedNumbers, skipNumbers } from "./operator/skip-numbers.ts";
export { tenantTables } from "./operator/tenant-tables.ts";
export type { Tables } from "./tables.ts";
