// What the routes of identity work with: one of each for a gateway.
import type { IncomingMessage } from "node:http";
import type { Kysely } from "kysely";
import type { ReadClient } from "../client.ts";
import type { SigningKey } from "../config.ts";
import type { Tables } from "../tables.ts";
import type { CountAuthFailure } from "./credential.ts";
import type { FindKey } from "./lookups.ts";
import type { BegunSignIns } from "./oidc/begun-sign-in.ts";
import type { Provider } from "./oidc/provider.ts";
import type { Passwords } from "./passwords/password.ts";
import type { BackgroundTasks } from "./record-about-user.ts";
import type { SecretSealing } from "./second-factor/secret-sealing.ts";
import type { Cookies } from "./sessions/cookies.ts";
import type { RefreshSecrets } from "./sessions/refresh-secret.ts";
import type { Signer } from "./signer.ts";
import type { SignInLimit } from "./users/sign-in-limit.ts";
import type { StaffRefusals } from "./users/staff-refusals.ts";

export interface IdentityContext {
  readonly db: Kysely<Tables>;
  readonly findKey: FindKey;
  readonly signingKeys: readonly SigningKey[];
  readonly sealing: SecretSealing;
  readonly cookies: Cookies;
  readonly refreshSecrets: RefreshSecrets;
  /** Null without the settings of one. */
  readonly provider: Provider | null;
  readonly begunSignIns: BegunSignIns;
  readonly redirectUri: (req: IncomingMessage) => string;
  /** The first one signs new records of idempotency. */
  readonly fingerprintSigners: readonly Signer[];
  readonly passwords: Passwords;
  readonly signInLimit: SignInLimit;
  readonly staffRefusals: StaffRefusals;
  readonly countAuthFailure: CountAuthFailure;
  readonly backgroundTasks: BackgroundTasks;
  readonly readClient: ReadClient;
}
