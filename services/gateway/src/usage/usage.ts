// The door of this wing: what each tenant uses, and its quotas (interface §19).
//
// The services count their own bytes. `startUsage` asks them about the tenants that change something. Every request reads which
// quotas its tenant has used up (`PASSED_QUOTAS`), and the gateway signs them into the request, so that the services
// refuse what would use more. So nothing is counted on the path of a request, all replicas agree, and a restart forgets nothing.
export { type QuotaChange, setQuotas, showQuotas } from "./set-quotas.ts";
export { type QuotasOfSettings, startUsage, type UsageTimes } from "./start-usage.ts";
export { type UsageContext, usageRoutes } from "./usage-routes.ts";
export { PASSED_QUOTAS } from "./usage-store.ts";
