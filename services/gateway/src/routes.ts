// The gateway's own routes. Other paths under /v1 are forwarded to the service that owns them.
import type { Route } from "@tradepost/http";
import { type AuditLogContext, auditLogRoutes } from "./audit-log/audit-log.ts";
import { type IdentityContext, identityRoutes } from "./identity/identity.ts";
import { type DescriptionContext, descriptionRoutes } from "./pages/pages.ts";
import { type RequestLogContext, requestLogRoutes } from "./request-log/request-log.ts";
import { type UsageContext, usageRoutes } from "./usage/usage.ts";

export function routes(
  context: AuditLogContext & DescriptionContext & IdentityContext & RequestLogContext & UsageContext,
): Route[] {
  return [
    ...descriptionRoutes,
    ...identityRoutes,
    ...auditLogRoutes,
    ...requestLogRoutes,
    ...usageRoutes,
  ].map((make) => make(context));
}

/**
 * Whether pages of other origins may use a path (interface §11). The API's requests carry a bearer credential, so a page can do
 * no more than any program with it. The routes under /v1/auth use cookies or take passwords.
 */
export function isOpenToOrigins(path: string): boolean {
  return /^\/v1(\/|$)/.test(path) && !path.startsWith("/v1/auth/");
}
