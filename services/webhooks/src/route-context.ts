import type { ApiRequest } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import type { ReadPastEvents } from "./read-past-events.ts";
import type { Tables, Tenant } from "./tables.ts";

export interface RouteContext {
  /** Row-level security limits each statement to the tenant's rows. */
  readonly tenants: Pick<TenantDatabases<Tables>, "of">;
  readonly writers: { of(tenantId: string): Tenant };
  readonly more: readonly string[];
  readonly readPastEvents: ReadPastEvents;
  /** Runs after each commit that inserted an outbox row. */
  readonly onCommit: () => void;
}

export interface Conditions {
  readonly ifMatch: string | undefined;
  readonly cause: Cause;
}

export function conditionsOf(request: ApiRequest<unknown, undefined>): Conditions {
  return { ifMatch: request.raw.headers["if-match"], cause: request };
}

/** For viewers and keys that read content; editors and keys that write it; admins only. */
export const READ = { module: "content", role: "viewer", scope: "read:content" } as const;
export const EDIT = { module: "content", role: "editor", scope: "write:content" } as const;
export const ADMIN = { module: null, role: "admin", scope: null } as const;
