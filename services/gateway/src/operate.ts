// What operators do with the gateway's data, for the operators' command; never reachable over HTTP.
export type { Tables } from "./tables.ts";
export { type CreatedTenant, createTenant } from "./tenant/create-tenant.ts";
export { listTenants, type ModuleName, moduleNames } from "./tenant/tenant-store.ts";
