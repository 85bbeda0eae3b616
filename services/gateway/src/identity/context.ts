// The objects that the routes of identity share, one of each for a gateway.
import type { IncomingMessage } from "node:http";
import { ApiError } from "@tradepost/http";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Pool } from "pg";
import { originOf, type ReadClient } from "../client.ts";
import type { Settings } from "../config.ts";
import type { Limits } from "../limits/limits.ts";
import type { Tables } from "../tables.ts";
import type { QuotasOfSettings } from "../usage/usage.ts";
import { countAuthFailures } from "./credential.ts";
import { keyLookup } from "./lookups.ts";
import { begunSignIns } from "./oidc/begun-sign-in.ts";
import { oidcProvider } from "./oidc/provider.ts";
import { type HashCost, passwords } from "./passwords/password.ts";
import { startBackgroundTasks } from "./record-about-user.ts";
import { secretSealing } from "./second-factor/secret-sealing.ts";
import { cookies } from "./sessions/cookies.ts";
import { refreshSecrets } from "./sessions/refresh-secret.ts";
import { fingerprintSigners } from "./signer.ts";
import { signInLimit } from "./users/sign-in-limit.ts";
import { staffRefusals } from "./users/staff-refusals.ts";

export interface IdentityOptions {
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

export type IdentityContext = ReturnType<typeof identityContext>;

export function identityContext(options: IdentityOptions) {
  const { db, pool, settings, quotasOfSettings, limits, readClient, metrics, logger } = options;
  const { TOKEN_SIGNING_KEYS: signingKeys, COOKIE_SECURE: isSecure } = settings;
  return {
    db,
    findKey: keyLookup(pool, quotasOfSettings),
    signingKeys,
    sealing: secretSealing(signingKeys),
    cookies: cookies({ isSecure, signingKeys }),
    refreshSecrets: refreshSecrets(signingKeys),
    /** Null unless its settings are given. */
    provider: oidcProvider(settings, logger),
    begunSignIns: begunSignIns(signingKeys),
    redirectUri: redirectUriOf(settings),
    /** The first signer signs new records of idempotency. */
    fingerprintSigners: fingerprintSigners(signingKeys),
    passwords: passwords(limits.countLimited, options.passwordCost),
    signInLimit: signInLimit(limits),
    staffRefusals: staffRefusals(limits),
    countAuthFailure: countAuthFailures(metrics),
    backgroundTasks: startBackgroundTasks(logger),
    readClient,
  };
}

/** Returns the callback, by default at the origin that the browser asked. */
function redirectUriOf(settings: Pick<Settings, "OIDC_REDIRECT_URI" | "PROXY_HOPS">) {
  return (req: IncomingMessage): string => {
    const origin = originOf(req, settings.PROXY_HOPS);
    if (origin === undefined) throw new ApiError("bad_request", "The Host header is malformed.");
    return settings.OIDC_REDIRECT_URI ?? `${origin}/v1/auth/oidc/callback`;
  };
}
