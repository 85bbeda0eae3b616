// The door of this wing: who may use the platform. Each noun has its routes next to its rules and its store: users and their
// sign-in, second factors, sessions, API keys, and tenants with their modules.
//
// Guarantees. Each change here writes its entry to the audit log in its transaction. The database stores only hashes of
// passwords, keys, refresh secrets, set-up links and recovery codes, and the secrets of second factors sealed. Callers are looked up
// on every request, so that a revoked key or a demoted user is refused from the next request on; concurrent lookups share a query
// (`lookups`).
import { startDeletingExpiredRecords } from "@tradepost/idempotency";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Pool } from "pg";
import type { ReadClient } from "../client.ts";
import type { Settings } from "../config.ts";
import type { Limits } from "../limits/limits.ts";
import type { Tables } from "../tables.ts";
import type { QuotasOfSettings } from "../usage/usage.ts";
import { apiKeyRoutes } from "./api-keys/api-key-routes.ts";
import { type LastUsed, startLastUsed } from "./api-keys/last-used.ts";
import { revokeHeldKeyRoute } from "./api-keys/revoke-held-key.ts";
import type { IdentityContext } from "./context.ts";
import { type CountAuthFailure, countAuthFailures } from "./credential.ts";
import {
  confirmedEmailLookup,
  type FindKey,
  type FindSession,
  keyLookup,
  mediaTenantLookup,
  sessionLookup,
} from "./lookups.ts";
import { begunSignIns } from "./oidc/begun-sign-in.ts";
import { oidcProvider } from "./oidc/provider.ts";
import { type HashCost, passwords } from "./passwords/password.ts";
import { startBackgroundTasks } from "./record-about-user.ts";
import { startResealing } from "./second-factor/reseal.ts";
import { secretSealing } from "./second-factor/secret-sealing.ts";
import { cookies } from "./sessions/cookies.ts";
import { refreshSecrets } from "./sessions/refresh-secret.ts";
import { startSessionCleanup } from "./sessions/session-store.ts";
import { fingerprintSigners } from "./signer.ts";
import { tenantRoutes } from "./tenants/tenant-routes.ts";
import { meRoutes } from "./users/me-routes.ts";
import { oidcRoutes, redirectUriOf } from "./users/oidc-routes.ts";
import { secondFactorRoutes } from "./users/second-factor-routes.ts";
import { securityRoutes } from "./users/security-routes.ts";
import { signInLimit } from "./users/sign-in-limit.ts";
import { signInLinkRoute } from "./users/sign-in-link.ts";
import { signInRoutes } from "./users/sign-in-routes.ts";
import { staffRefusals } from "./users/staff-refusals.ts";
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

export interface Credentials {
  readonly findKey: FindKey;
  readonly findSession: FindSession;
  readonly signingKeys: Settings["TOKEN_SIGNING_KEYS"];
  readonly lastUsed: LastUsed;
  readonly countAuthFailure: CountAuthFailure;
}

interface IdentityOptions {
  readonly db: Kysely<Tables>;
  readonly pool: Pool;
  readonly settings: Settings;
  readonly quotasOfSettings: QuotasOfSettings;
  readonly limits: Limits;
  readonly readClient: ReadClient;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly passwordCost?: HashCost | undefined;
}

export function startIdentity(options: IdentityOptions) {
  const { db, pool, settings, quotasOfSettings, limits, readClient, metrics, logger, passwordCost } = options;
  const starting = new AsyncDisposableStack();
  const started = <Part extends { stop(): Promise<void> }>(part: Part) =>
    starting.adopt(part, ({ stop }) => stop());
  const lastUsed = started(startLastUsed(db, logger));
  const backgroundTasks = started(startBackgroundTasks(logger));
  started(startSessionCleanup(db, logger));
  started(startDeletingExpiredRecords(pool, logger));
  const { TOKEN_SIGNING_KEYS: signingKeys, COOKIE_SECURE: isSecure } = settings;
  const sealing = secretSealing(signingKeys);
  started(startResealing(db, sealing, logger));
  const countAuthFailure = countAuthFailures(metrics);
  const findKey = keyLookup(pool, quotasOfSettings);
  const context: IdentityContext = {
    db,
    findKey,
    signingKeys,
    sealing,
    cookies: cookies({ isSecure, signingKeys }),
    refreshSecrets: refreshSecrets(signingKeys),
    provider: oidcProvider(settings, logger),
    begunSignIns: begunSignIns(signingKeys),
    redirectUri: redirectUriOf(settings),
    fingerprintSigners: fingerprintSigners(signingKeys),
    passwords: passwords(limits.countLimited, passwordCost),
    signInLimit: signInLimit(limits),
    staffRefusals: staffRefusals(limits),
    countAuthFailure,
    backgroundTasks,
    readClient,
  };
  const credentials: Credentials = {
    findKey,
    findSession: sessionLookup(pool, quotasOfSettings),
    signingKeys,
    lastUsed,
    countAuthFailure,
  };
  return {
    context,
    credentials,
    findMediaTenant: mediaTenantLookup(pool),
    findConfirmedEmails: confirmedEmailLookup(pool),
    signInLinkRoutes: settings.SIGN_IN_LINKS ? [signInLinkRoute(context)] : [],
    stop: () => starting.disposeAsync(),
  };
}
