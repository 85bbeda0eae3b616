// The door of this wing: the log of the tenants' requests.
export { type RequestLogContext, requestLogRoutes } from "./request-log-routes.ts";
export { startRequestLog } from "./write-requests.ts";
