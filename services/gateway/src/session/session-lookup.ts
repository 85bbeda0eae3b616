// The look-up behind every request with a dashboard token: the user's role and active flag as they are now, and
// whether the session still stands.
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
}

export type FindSession = (claims: TokenClaims) => Promise<SessionIdentity | null>;

const FIND = {
  name: "find-session-identities",
  text: `
  select users.id, sessions.id as "sessionId", users.tenant_id as "tenantId", users.name, users.role,
         array(select m.name from tenant_modules m
                where m.tenant_id = users.tenant_id and m.active order by m.name) as modules
    from sessions join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
   where sessions.id = any($1) and sessions.ended_at is null and sessions.expires_at > now() and users.active`,
};

/**
 * Out: the look-up of a session. It resolves with the user as of now, or with null where the session has ended, the
 * user is gone or inactive, or the token's claims tell of another user or tenant. Those that are asked for together share a query.
 */
export function sessionLookup(pool: Pool): FindSession {
  const find = batchLookup(async (sessionIds) => {
    const { rows } = await pool.query<SessionIdentity>({ ...FIND, values: [sessionIds] });
    return new Map(rows.map((row) => [row.sessionId, row]));
  });
  return async ({ sessionId, userId, tenantId }) => {
    const user = await find(sessionId);
    return user?.id === userId && user.tenantId === tenantId ? user : null;
  };
}
