// The parts that all routes share: the databases that they read and write, and the conditions of a change.
import type { ApiRequest } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import type { TenantDatabases, TransactionalTenant } from "@tradepost/postgres";
import type { ReadPastEvents } from "./read-past-events.ts";
import type { Tables } from "./tables.ts";

export interface RouteContext {
  /** The databases of routes that only read: row-level security limits each statement to the tenant's rows. */
  readonly tenants: Pick<TenantDatabases<Tables>, "of">;
  /** The databases of routes that write. */
  readonly writers: { of(tenantId: string): TransactionalTenant<Tables> };
  readonly readPastEvents: ReadPastEvents;
  /** Runs after each commit that inserted an outbox row. */
  readonly onCommit: () => void;
}

/** Who changes a subscription, and under which condition. */
export interface Conditions {
  /** The request's header, which names a version of the subscription. */
  readonly ifMatch: string | undefined;
  readonly cause: Cause;
}

/** Returns the conditions of a change that a request makes. */
export function conditionsOf(request: ApiRequest<unknown, undefined>): Conditions {
  return { ifMatch: request.raw.headers["if-match"], cause: request };
}
