// The door of this wing: who may use the platform. Each noun has its routes next to its rules and its store: users and their
// sign-in, second factors, sessions, API keys, and tenants with their modules.
//
// Guarantees. Each change here writes its entry to the audit log in its transaction. The database stores only hashes of
// passwords, keys, refresh secrets, set-up links and recovery codes, and the secrets of second factors sealed. Callers are looked up
// on every request, so that a revoked key or a demoted user is refused from the next request on; concurrent lookups share a query
// (`lookups`).
import { startDeletingExpiredRecords } from "@tradepost/idempotency";
import { apiKeyRoutes } from "./api-keys/api-key-routes.ts";
import { startLastUsed } from "./api-keys/last-used.ts";
import { revokeHeldKeyRoute } from "./api-keys/revoke-held-key.ts";
import { type IdentityOptions, identityContext } from "./context.ts";
import { confirmedEmailLookup, mediaTenantLookup, sessionLookup } from "./lookups.ts";
import { startResealing } from "./second-factor/reseal.ts";
import { startSessionCleanup } from "./sessions/session-store.ts";
import { tenantRoutes } from "./tenants/tenant-routes.ts";
import { meRoutes } from "./users/me-routes.ts";
import { oidcRoutes } from "./users/oidc-routes.ts";
import { secondFactorRoutes } from "./users/second-factor-routes.ts";
import { securityRoutes } from "./users/security-routes.ts";
import { signInLinkRoute } from "./users/sign-in-link.ts";
import { signInRoutes } from "./users/sign-in-routes.ts";
import { userRoutes } from "./users/user-routes.ts";

export { verifyKey } from "./api-keys/api-key.ts";
export type { IdentityContext } from "./context.ts";
export { type AuthFailure, readCredential } from "./credential.ts";
export type { FindConfirmedEmails, FindMediaTenant } from "./lookups.ts";
export { verifyDashboardToken } from "./sessions/dashboard-token.ts";
export { type Signer, signerFor } from "./signer.ts";
export { createTenant } from "./tenants/create-tenant.ts";
export * as operatedTenants from "./tenants/operated-tenant.ts";
export { type DescribedTenant, describeTenant } from "./tenants/shop-store.ts";
export { listTenants, type ModuleName, moduleNames } from "./tenants/tenant-store.ts";
export * as staffAccess from "./users/staff-access.ts";

export const identityRoutes = [
  ...signInRoutes,
  ...oidcRoutes,
  ...meRoutes,
  ...secondFactorRoutes,
  ...apiKeyRoutes,
  revokeHeldKeyRoute,
  ...userRoutes,
  ...tenantRoutes,
  ...securityRoutes,
];

export type Credentials = ReturnType<typeof startIdentity>["credentials"];

export function startIdentity(options: IdentityOptions) {
  const { db, pool, settings, quotasOfSettings, logger } = options;
  const starting = new AsyncDisposableStack();
  const started = <Part extends { stop(): Promise<void> }>(part: Part) =>
    starting.adopt(part, ({ stop }) => stop());
  const lastUsed = started(startLastUsed(db, logger));
  const context = identityContext(options);
  started(context.backgroundTasks);
  started(startSessionCleanup(db, logger));
  started(startDeletingExpiredRecords(pool, logger));
  const { findKey, signingKeys, sealing, countAuthFailure } = context;
  started(startResealing(db, sealing, logger));
  const findSession = sessionLookup(pool, quotasOfSettings);
  return {
    context,
    credentials: { findKey, findSession, signingKeys, lastUsed, countAuthFailure },
    findMediaTenant: mediaTenantLookup(pool),
    findConfirmedEmails: confirmedEmailLookup(pool),
    signInLinkRoutes: settings.SIGN_IN_LINKS ? [signInLinkRoute(context)] : [],
    stop: () => starting.disposeAsync(),
  };
}
