// What the HTTP handlers have in common: their dependencies, wired in service.ts, and the conditions of changes.

import type { ApiRequest } from "@tradepost/http";
import { type TenantDatabases, type TransactionalTenant, tenantOf } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import type { Conditions } from "../conditions.ts";
import type { Leases, Results } from "../listeners/listeners.ts";
import type { Sealing } from "../sealing/sealing.ts";
import type { AddressGuard, Reconciliations, Recoveries } from "../subscriptions/subscriptions.ts";
import type { Tables } from "../tables.ts";

/** The conditions of a change that a request makes. */
export function conditionsOf(request: ApiRequest<unknown, undefined>): Conditions {
  return { ifMatch: request.raw.headers["if-match"], cause: request };
}

/** The tenants that a POST with an `Idempotency-Key` writes for. */
export function writersOf(db: Kysely<Tables>): { of(tenantId: string): TransactionalTenant<Tables> } {
  return { of: (tenantId) => tenantOf(db, tenantId) };
}

export interface Webhooks {
  /** For the routes that only read: row-level security limits each statement to the tenant's rows. */
  readonly tenants: Pick<TenantDatabases<Tables>, "of">;
  /** For the routes that write. */
  readonly db: Kysely<Tables>;
  readonly sealing: Sealing;
  readonly guard: AddressGuard;
  /** Runs after each commit that inserted an outbox row. */
  readonly onCommit: () => void;
  /** Runs after each commit that left deliveries waiting for admission. */
  readonly onWaiting: () => void;
  readonly recoveries: Pick<Recoveries, "run">;
  readonly reconciliations: Pick<Reconciliations, "run">;
  readonly leases: Pick<Leases, "lease" | "wake">;
  readonly results: Results;
}
