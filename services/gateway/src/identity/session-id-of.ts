// Finds the session of a request, for routes that refuse API keys.
import type { IncomingMessage } from "node:http";
import type { SigningKey } from "../config.ts";
import { verifyDashboardToken } from "../session/dashboard-token.ts";
import { readCredential } from "./credential.ts";

/** The request's dashboard token must have been accepted. Throws if it has none. */
export function sessionIdOf(req: IncomingMessage, signingKeys: readonly SigningKey[]): string {
  const credential = readCredential(req.headersDistinct.authorization ?? []);
  const claims =
    credential?.kind === "dashboard_token" ? verifyDashboardToken(credential.token, signingKeys) : null;
  if (claims === null) throw new Error("the request has no dashboard token");
  return claims.sessionId;
}
