// The parts that all routes share: the databases that they read and write, and the conditions of a change.
import { type ApiRequest, notFound } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import type { Tenant, TenantDatabases } from "@tradepost/postgres";
import type { ReadPastEvents } from "./read-past-events.ts";
import type { Tables } from "./tables.ts";

export interface RouteContext {
  /** For reads: row-level security limits each statement to the tenant's rows. */
  readonly tenants: Pick<TenantDatabases<Tables>, "of">;
  /** For changes. */
  readonly writers: { of(tenantId: string): Tenant<Tables> };
  /** The types of orders that the operator offers (interface §24). */
  readonly more: readonly string[];
  readonly readPastEvents: ReadPastEvents;
  /** Runs after each commit that inserted an outbox row. */
  readonly onCommit: () => void;
}

export interface Conditions {
  /** The request's header, which names a version of the subscription. */
  readonly ifMatch: string | undefined;
  readonly cause: Cause;
}

export function conditionsOf(request: ApiRequest<unknown, undefined>): Conditions {
  return { ifMatch: request.raw.headers["if-match"], cause: request };
}

/** Who may use a route: viewers and keys that read content, editors and keys that write it, or admins only. */
export const READ = { module: "content", role: "viewer", scope: "read:content" } as const;
export const EDIT = { module: "content", role: "editor", scope: "write:content" } as const;
export const ADMIN = { module: null, role: "admin", scope: null } as const;

/** @throws 404 if it was not found. */
export function required<Found>(found: Found | null, noun: string): Found {
  if (found === null) throw notFound(noun);
  return found;
}
