// The gateway's own routes. Other paths under /v1 are forwarded to the service that owns them.
import type { Route } from "@tradepost/http";
import { type AuditLogContext, auditLogRoutes } from "./audit-log/audit-log.ts";
import {
  apiKeyRoutes,
  type IdentityContext,
  meRoutes,
  moduleRoutes,
  signInRoutes,
  userRoutes,
} from "./identity/identity.ts";
import { type DescriptionContext, descriptionRoutes } from "./pages/pages.ts";
import { type RequestLogContext, requestLogRoutes } from "./request-log/request-log.ts";

export function routes(
  context: AuditLogContext & DescriptionContext & IdentityContext & RequestLogContext,
): Route[] {
  return [
    ...descriptionRoutes,
    ...signInRoutes,
    ...meRoutes,
    ...apiKeyRoutes,
    ...userRoutes,
    ...moduleRoutes,
    ...auditLogRoutes,
    ...requestLogRoutes,
  ].map((make) => make(context));
}

/**
 * Whether pages of other origins may use a path (interface §11). True for the API without /v1/auth: a request has a bearer
 * credential, which such a page has to know, so the page can do what any program with the credential can. The routes under
 * /v1/auth use cookies or take passwords.
 */
export function isOpenToOrigins(path: string): boolean {
  return /^\/v1(\/|$)/.test(path) && !path.startsWith("/v1/auth/");
}
