// The dependencies of the gateway's handlers, created in service.ts.
import type { IncomingMessage } from "node:http";
import type { ApiRequest, Client } from "@tradepost/http";
import type { Kysely } from "kysely";
import type { BackgroundTasks } from "../audit-log/background-tasks.ts";
import { clientOf } from "../client/client.ts";
import type { SigningKey } from "../config.ts";
import type { CountAuthFailure } from "../identity/count-auth-failures.ts";
import type { SignInLimit } from "../rate-limit/sign-in-limit.ts";
import type { StaffRefusals } from "../rate-limit/staff-refusals.ts";
import type { ApiDescription } from "../reference/published-files.ts";
import type { Cookies } from "../session/cookies.ts";
import type { RefreshSecrets } from "../session/refresh-secret.ts";
import type { Signer } from "../session/signer.ts";
import type { Tables } from "../tables.ts";
import type { Passwords } from "../user/password.ts";

export interface Gateway {
  readonly db: Kysely<Tables>;
  readonly signingKeys: readonly SigningKey[];
  readonly cookies: Cookies;
  readonly refreshSecrets: RefreshSecrets;
  /** Sign the fingerprints of requests with an Idempotency-Key: the first one for new records. */
  readonly fingerprintSigners: readonly Signer[];
  readonly passwords: Passwords;
  readonly signInLimit: SignInLimit;
  readonly staffRefusals: StaffRefusals;
  readonly countAuthFailure: CountAuthFailure;
  readonly apiDescription: ApiDescription;
  readonly backgroundTasks: BackgroundTasks;
  /** The number of trusted proxies in front of the gateway that add to X-Forwarded-For. */
  readonly proxyHops: number;
  /** Checks the X-Forwarded-For header on routes without authentication; `identify` does so on the others. */
  readonly checkProxyHeader: (req: IncomingMessage) => void;
}

/** For responses with a secret, a token or personal data. */
export const NO_STORE = { "cache-control": "no-store" };

/** The cause of a change, for the audit log. */
export function causeOf(
  { proxyHops }: Pick<Gateway, "proxyHops">,
  { principal, requestId, raw }: Pick<ApiRequest<unknown, unknown>, "principal" | "requestId" | "raw">,
) {
  const client: Client = clientOf(raw, proxyHops);
  return { principal, requestId, client };
}
