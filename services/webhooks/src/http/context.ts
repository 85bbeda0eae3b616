// What the handlers of the webhooks service work with; wired in service.ts.
import type { KeyObject } from "node:crypto";
import type { Kysely } from "kysely";
import type { Reconciliations } from "../reconciliation/reconciliations.ts";
import type { Recoveries } from "../recovery/recoveries.ts";
import type { AddressGuard } from "../subscription/address.ts";
import type { Tables } from "../tables.ts";

export interface Webhooks {
  readonly db: Kysely<Tables>;
  readonly sealingKey: KeyObject;
  readonly guard: AddressGuard;
  /** Called after each commit that wrote an outbox row. */
  readonly onCommit: () => void;
  /** Called after each commit that left deliveries waiting to be let in. */
  readonly onWaiting: () => void;
  readonly recoveries: Pick<Recoveries, "run">;
  readonly reconciliations: Pick<Reconciliations, "run">;
}
