// Authenticates each request, as its first stage. It reads the database every time, so that a revocation takes effect at once.
import { ApiError, type Identify, type Principal, type RequestContext } from "@tradepost/http";
import { verifySecret } from "../api-key/api-key.ts";
import type { FindKey } from "../api-key/key-lookup.ts";
import type { LastUsed } from "../api-key/last-used.ts";
import { clientOf } from "../client/client.ts";
import type { SigningKey } from "../config.ts";
import { verifyDashboardToken } from "../session/dashboard-token.ts";
import type { FindSession } from "../session/session-lookup.ts";
import { tenantSuspended } from "../tenant/suspension.ts";
import type { AuthFailure, CountAuthFailure } from "./count-auth-failures.ts";
import { readCredential } from "./credential.ts";

export interface Authentication {
  readonly findKey: FindKey;
  readonly findSession: FindSession;
  readonly signingKeys: readonly SigningKey[];
  readonly lastUsed: LastUsed;
  readonly countAuthFailure: CountAuthFailure;
  /** The number of trusted proxies in front of the gateway. */
  readonly proxyHops: number;
  /** Applies the limits of the caller and of the tenant. Resolves when the request may proceed, or throws 429. */
  readonly admit: (
    principal: Principal,
    context: Pick<RequestContext, "req" | "responseHeaders" | "atEnd">,
  ) => Promise<void>;
}

/**
 * The 401 is the same whatever is wrong with the credential (interface §1, §2). Also throws 403 `tenant_suspended`, to a
 * caller whose credential is valid.
 */
export function authenticate(authentication: Authentication): Identify {
  return async (context) => {
    const caller = await callerOf(context.req.headersDistinct.authorization ?? [], authentication);
    const { isSuspended, ...known } = caller;
    const principal = { ...known, client: clientOf(context.req, authentication.proxyHops) };
    await authentication.admit(principal, context);
    if (isSuspended) throw tenantSuspended();
    return principal;
  };
}

/** Checks the caller of a request that has waited again. Throws as the first check does, and charges nothing. */
export function checkAgain(authentication: Authentication): (context: RequestContext) => Promise<void> {
  return async ({ req }) => {
    const caller = await callerOf(req.headersDistinct.authorization ?? [], authentication);
    if (caller.isSuspended) throw tenantSuspended();
  };
}

function unauthorized(): ApiError {
  return new ApiError("unauthorized", "A valid API key or dashboard token is required.");
}

interface Caller extends Principal {
  readonly isSuspended: boolean;
}

async function callerOf(headers: readonly string[], authentication: Authentication): Promise<Caller> {
  const caller = await findCaller(headers, authentication);
  if (typeof caller !== "string") return caller;
  authentication.countAuthFailure(caller);
  throw unauthorized();
}

/** Returns the caller, or why there is none. */
async function findCaller(
  headers: readonly string[],
  authentication: Authentication,
): Promise<Caller | AuthFailure> {
  if (headers.length === 0) return "missing";
  const credential = readCredential(headers);
  if (credential?.kind === "dashboard_token") return await callerOfToken(credential.token, authentication);
  const caller = await callerOfKey(credential ?? MALFORMED_KEY, authentication);
  return credential === null ? "malformed" : caller;
}

// A malformed credential is looked up like an unknown key, and so takes the same time.
const MALFORMED_KEY = { keyId: "", secret: "" };

async function callerOfKey(
  { keyId, secret }: { keyId: string; secret: string },
  { findKey, lastUsed }: Authentication,
): Promise<Caller | AuthFailure> {
  const key = await findKey(keyId);
  const isSecretRight = verifySecret(secret, key?.secretHash);
  if (key === null || !isSecretRight) return "api_key";
  if (!key.isLive) return "api_key_ended";
  lastUsed.record(key);
  return {
    tenantId: key.tenantId,
    role: "editor",
    actor: { type: "api_key", id: key.id, name: key.label },
    scopes: key.scopes,
    modules: key.modules,
    isSuspended: key.isSuspended,
  };
}

async function callerOfToken(
  token: string,
  { findSession, signingKeys }: Authentication,
): Promise<Caller | AuthFailure> {
  const claims = verifyDashboardToken(token, signingKeys);
  const user = claims && (await findSession(claims));
  if (user === null) return "token";
  return {
    tenantId: user.tenantId,
    role: user.role,
    actor: { type: "user", id: user.id, name: user.name },
    scopes: [],
    modules: user.modules,
    isSuspended: user.isSuspended,
  };
}
