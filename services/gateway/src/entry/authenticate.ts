// Authenticates each request, from the database, so that a revocation takes effect at once.
import type { IncomingMessage } from "node:http";
import { ApiError, type Client, type Principal } from "@tradepost/http";
import {
  type AuthFailure,
  type Credentials,
  readCredential,
  verifyDashboardToken,
  verifyKey,
} from "../identity/identity.ts";

export interface Caller extends Principal {
  readonly isSuspended: boolean;
  readonly lacksSecondFactor: boolean;
  /** The key may not be used from the client's address. */
  readonly isElsewhere: boolean;
}

/** Without `client` a key may be used from everywhere. Throws one 401 for all faults of a credential (interface §1, §2). */
export type Authenticate = (req: IncomingMessage, client?: Client) => Promise<Caller>;

export function authenticate(credentials: Credentials): Authenticate {
  return async (req, client) => {
    const caller = await findCaller(req.headersDistinct.authorization ?? [], credentials, client);
    if (typeof caller !== "string") return caller;
    credentials.countAuthFailure(caller);
    throw new ApiError("unauthorized", "A valid API key or dashboard token is required.");
  };
}

async function findCaller(
  headers: readonly string[],
  credentials: Credentials,
  client: Client | undefined,
): Promise<Caller | AuthFailure> {
  if (headers.length === 0) return "missing";
  const credential = readCredential(headers);
  if (credential?.kind === "dashboard_token") return await callerOfToken(credential.token, credentials);
  const caller = await callerOfKey(credential ?? MALFORMED_KEY, credentials, client);
  return credential === null ? "malformed" : caller;
}

// Looked up like an unknown key, and so takes the same time.
const MALFORMED_KEY = { keyId: "", secret: "" };

async function callerOfKey(
  { keyId, secret }: { keyId: string; secret: string },
  { findKey, lastUsed, countAuthFailure }: Credentials,
  client: Client | undefined,
): Promise<Caller | AuthFailure> {
  const key = await findKey(keyId);
  const refusal = verifyKey(key, secret, client);
  const isElsewhere = refusal === "address_not_allowed";
  if (key === null || (refusal !== null && !isElsewhere)) return refusal ?? "api_key";
  if (isElsewhere) countAuthFailure(refusal);
  else lastUsed.record(key);
  return {
    tenantId: key.tenantId,
    role: "editor",
    actor: { type: "api_key", id: key.id, name: key.label },
    scopes: key.scopes,
    modules: key.modules,
    isSuspended: key.isSuspended,
    passedQuotas: key.passedQuotas,
    lacksSecondFactor: false,
    isElsewhere,
  };
}

async function callerOfToken(
  token: string,
  { findSession, signingKeys }: Credentials,
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
    passedQuotas: user.passedQuotas,
    lacksSecondFactor: user.lacksSecondFactor,
    isElsewhere: false,
  };
}
