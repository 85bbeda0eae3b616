// The look-up behind every request with a dashboard token: the user's role and active flag as they are now, and
// whether the session still stands.
import type { Role } from "@tradepost/http";
import type { Pool } from "pg";
import type { TokenClaims } from "./dashboard-token.ts";

export interface SessionIdentity {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly role: Role;
  readonly modules: string[];
}

const FIND = {
  name: "find-session-identity",
  text: `
  select users.id, users.tenant_id as "tenantId", users.name, users.role,
         array(select m.name from tenant_modules m
                where m.tenant_id = users.tenant_id and m.active order by m.name) as modules
    from sessions join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
   where sessions.tenant_id = $1 and sessions.id = $2 and sessions.user_id = $3
     and sessions.ended_at is null and users.active`,
};

/** Out: the user as of now, or null where the session has ended or the user is gone or inactive. */
export async function findSessionIdentity(pool: Pool, claims: TokenClaims): Promise<SessionIdentity | null> {
  const { rows } = await pool.query<SessionIdentity>({
    ...FIND,
    values: [claims.tenantId, claims.sessionId, claims.userId],
  });
  return rows[0] ?? null;
}
