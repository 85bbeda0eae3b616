// What the handlers of the content service work with; wired in service.ts.
import type { TenantDatabases } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";

export interface Content {
  readonly tenants: TenantDatabases<Tables>;
  /** Called after each commit that wrote an outbox row. */
  readonly onCommit: () => void;
}
