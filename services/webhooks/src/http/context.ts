// The dependencies of the HTTP handlers; wired in service.ts.
import type { KeyObject } from "node:crypto";
import type { TenantDatabases } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import type { Reconciliations } from "../reconciliation/reconciliations.ts";
import type { Recoveries } from "../recovery/recoveries.ts";
import type { AddressGuard } from "../subscription/address.ts";
import type { Tables } from "../tables.ts";

export interface Webhooks {
  /** For the routes that only read: row-level security limits each statement to the tenant's rows. */
  readonly tenants: Pick<TenantDatabases<Tables>, "of">;
  /** For the routes that write. */
  readonly db: Kysely<Tables>;
  readonly sealingKey: KeyObject;
  readonly guard: AddressGuard;
  /** Runs after each commit that inserted an outbox row. */
  readonly onCommit: () => void;
  /** Runs after each commit that left deliveries waiting for admission. */
  readonly onWaiting: () => void;
  readonly recoveries: Pick<Recoveries, "run">;
  readonly reconciliations: Pick<Reconciliations, "run">;
}
