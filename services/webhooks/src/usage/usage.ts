// The door of this wing: what a tenant uses of this service, and the notices about its quotas (interface §19).
export { countReceived } from "./received-bytes.ts";
export { usageRoutes } from "./usage-routes.ts";
