// The operations on the gateway's data that the operators' command uses. They are not available over HTTP.
export type { Tables } from "./tables.ts";
export { type CreatedTenant, createTenant } from "./tenant/create-tenant.ts";
export { listTenants, type ModuleName, moduleNames } from "./tenant/tenant-store.ts";
export { listStaff, makeSetupLinkFor } from "./user/operate-users.ts";
