// What the handlers of the orders service work with; wired in service.ts.
import type { Kysely } from "kysely";
import type { Pool } from "pg";
import type { Tables } from "../tables.ts";

export interface Orders {
  readonly pool: Pool;
  readonly db: Kysely<Tables>;
  /** Called after each commit that wrote an outbox row. */
  readonly onCommit: () => void;
}
