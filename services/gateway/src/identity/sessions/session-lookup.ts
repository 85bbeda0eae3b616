// The lookup behind every request with a dashboard token: the user's current role and modules, if the session is open.
import type { Role } from "@tradepost/http";
import type { Pool } from "pg";
import { batchLookup } from "../batch-lookup.ts";
import type { TokenClaims } from "./dashboard-token.ts";

interface SessionIdentity {
  readonly id: string;
  readonly sessionId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly role: Role;
  readonly modules: string[];
  /** The operator has suspended the tenant. */
  readonly isSuspended: boolean;
}

/**
 * Resolves with the session's user, or with null if the session has ended or expired, the user is inactive or deleted, or
 * the claims name another user or tenant.
 */
export type FindSession = (claims: TokenClaims) => Promise<SessionIdentity | null>;

/** Reads the database on every lookup. Concurrent lookups share a query. */
export function sessionLookup(pool: Pool): FindSession {
  const find = batchLookup(async (sessionIds) => {
    const { rows } = await pool.query<SessionIdentity>({
      text: FIND,
      values: [sessionIds],
    });
    return new Map(rows.map((row) => [row.sessionId, row]));
  });
  return async ({ sessionId, userId, tenantId }) => {
    const user = await find(sessionId);
    return user?.id === userId && user.tenantId === tenantId ? user : null;
  };
}

// The limits keep Postgres from joining whole tables, also with a plan that it made while they were nearly empty: first it finds
// the sessions, then the user of each.
const FIND = `
  select users.id, session.id as "sessionId", session.tenant_id as "tenantId", users.name, users.role,
         array(select m.name from tenant_modules m
                where m.tenant_id = session.tenant_id and m.active order by m.name) as modules,
         (select suspended_at is not null from tenants where tenants.id = session.tenant_id) as "isSuspended"
    from unnest($1::uuid[]) as wanted (id),
         lateral (select id, tenant_id, user_id from sessions
                   where sessions.id = wanted.id and ended_at is null and expires_at > now() limit 1) as session,
         lateral (select id, name, role from users
                   where users.tenant_id = session.tenant_id and users.id = session.user_id and active limit 1) as users`;
