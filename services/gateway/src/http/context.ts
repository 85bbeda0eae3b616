// What the handlers of the gateway work with; wired in service.ts.
import type { IncomingMessage } from "node:http";
import type { ApiRequest } from "@tradepost/http";
import type { Kysely } from "kysely";
import type { BackgroundTasks } from "../audit-log/background-tasks.ts";
import { type Client, clientOf } from "../client/client.ts";
import type { SigningKey } from "../config.ts";
import type { SignInLimit } from "../rate-limit/sign-in-limit.ts";
import type { Cookies } from "../session/cookies.ts";
import type { RefreshSecrets } from "../session/refresh-secret.ts";
import type { Tables } from "../tables.ts";

export interface Gateway {
  readonly db: Kysely<Tables>;
  readonly signingKeys: readonly SigningKey[];
  readonly cookies: Cookies;
  readonly refreshSecrets: RefreshSecrets;
  readonly signInLimit: SignInLimit;
  readonly backgroundTasks: BackgroundTasks;
  /** How many proxies of ours stand before the gateway and add to X-Forwarded-For. */
  readonly proxyHops: number;
  /** Notes a request of a route for anyone; those of known callers are noted where the caller is established. */
  readonly noteProxy: (req: IncomingMessage) => void;
}

/** For responses that carry a secret or a token, or what belongs to one person. */
export const NO_STORE = { "cache-control": "no-store" };

/** Who asked for a change, by which request and from where, as the audit log keeps it. */
export function causeOf(
  { proxyHops }: Pick<Gateway, "proxyHops">,
  { principal, requestId, raw }: Pick<ApiRequest<unknown, unknown>, "principal" | "requestId" | "raw">,
) {
  const client: Client = clientOf(raw, proxyHops);
  return { principal, requestId, client };
}
