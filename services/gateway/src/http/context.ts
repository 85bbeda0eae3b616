// What the handlers of the gateway work with; wired in service.ts.
import type { Kysely } from "kysely";
import type { SigningKey } from "../config.ts";
import type { Tables } from "../tables.ts";

export interface Gateway {
  readonly db: Kysely<Tables>;
  readonly signingKeys: readonly SigningKey[];
}
