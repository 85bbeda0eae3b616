// What the handlers of the content service work with; wired in service.ts.
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

export interface Content {
  readonly db: Kysely<Tables>;
  /** Called after each commit that wrote an outbox row. */
  readonly onCommit: () => void;
}
