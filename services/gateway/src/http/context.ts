// What the handlers of the gateway work with; wired in service.ts.
import type { Kysely } from "kysely";
import type { SigningKey } from "../config.ts";
import type { SignInLimit } from "../rate-limit/sign-in-limit.ts";
import type { Tables } from "../tables.ts";

export interface Gateway {
  readonly db: Kysely<Tables>;
  readonly signingKeys: readonly SigningKey[];
  readonly signInLimit: SignInLimit;
  /** How many proxies of ours stand before the gateway and add to X-Forwarded-For. */
  readonly proxyHops: number;
}
