// The door of this wing: what each tenant uses, and its quotas (interface §19).
//
// The services count; each knows only its own bytes. `startUsage` asks them about the tenants that change something, and stores
// their responses. Every request reads from there which quotas its tenant has used up (`passedQuotas`), and the gateway signs
// that into the request. The services refuse requests that would add to such a quota. So nothing is counted on the path of a
// request, all replicas agree, and a restart forgets nothing.
export { passedQuotas } from "./passed-quotas.ts";
export { type QuotaChange, type ShownQuotas, setQuotas, showQuotas } from "./set-quotas.ts";
export { type QuotasOfSettings, startUsage, type UsageTimes } from "./start-usage.ts";
export { type UsageContext, usageRoutes } from "./usage-routes.ts";
