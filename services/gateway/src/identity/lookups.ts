// The lookups behind every request (docs/decisions/0008). Those that arrive while a query runs share the next one. Nothing is
// cached: each result comes from a query that began after its lookup.
import type { Role } from "@tradepost/http";
import type { Quota } from "@tradepost/messaging";
import { type Columns, namedStatement } from "@tradepost/postgres";
import { batch } from "@tradepost/runtime";
import type { Pool, QueryConfig } from "pg";
import { PASSED_QUOTAS, type QuotasOfSettings } from "../usage/usage.ts";
import type { TokenClaims } from "./sessions/dashboard-token.ts";

interface Asked extends QuotasOfSettings {
  readonly keys: readonly string[];
}

const asked: Columns<Asked> = {
  keys: ({ keys }) => keys,
  media_bytes: ({ mediaBytes }) => mediaBytes,
  event_bytes: ({ eventBytes }) => eventBytes,
};

interface Identity {
  readonly id: string;
  readonly tenantId: string;
  readonly modules: string[];
  readonly isSuspended: boolean;
  readonly passedQuotas: Quota[];
}

interface KeyIdentity extends Identity {
  readonly keyId: string;
  readonly label: string;
  readonly scopes: string[];
  readonly secretHash: Buffer;
  /** By the database's clock. */
  readonly isLive: boolean;
  readonly allowedAddresses: readonly string[] | null;
}

type FindKey = (keyId: string) => Promise<KeyIdentity | null>;

export function keyLookup(pool: Pool, quotas: QuotasOfSettings): FindKey {
  return batchLookup<KeyIdentity>(
    pool,
    (keys) => findKeys({ keys, ...quotas }),
    ({ keyId }) => keyId,
  );
}

// Without the LIMIT, a plan made while the tables were nearly empty could join whole tables.
const findKeys = namedStatement<Asked>(
  `
  select key.id, key_id as "keyId", key.tenant_id as "tenantId", label, scopes, secret_hash as "secretHash",
         revoked_at is null and (expires_at is null or expires_at > now()) as "isLive",
         allowed_addresses as "allowedAddresses",
         array(select name from tenant_modules m
                where m.tenant_id = key.tenant_id and m.active order by name) as modules,
         tenant.suspended_at is not null as "isSuspended",
         ${PASSED_QUOTAS} as "passedQuotas"
    from api_keys as key,
         lateral (select id, suspended_at, media_bytes_max, event_bytes_max from tenants
                   where tenants.id = key.tenant_id limit 1) as tenant
   where key_id = any($asked.keys)`,
  { asked },
);

interface SessionIdentity extends Identity {
  readonly sessionId: string;
  readonly name: string;
  readonly role: Role;
  readonly lacksSecondFactor: boolean;
}

/** Returns null if the session has ended, the user is inactive or deleted, or the claims name another user or tenant. */
type FindSession = (claims: TokenClaims) => Promise<SessionIdentity | null>;

export function sessionLookup(pool: Pool, quotas: QuotasOfSettings): FindSession {
  const statement = (keys: readonly string[]) => findSessions({ keys, ...quotas });
  const find = batchLookup<SessionIdentity>(pool, statement, (session) => session.sessionId);
  return async ({ sessionId, userId, tenantId }) => {
    const user = await find(sessionId);
    return user?.id === userId && user.tenantId === tenantId ? user : null;
  };
}

const findSessions = namedStatement<Asked>(
  `
  select users.id, session.id as "sessionId", session.tenant_id as "tenantId", users.name, users.role,
         array(select m.name from tenant_modules m
                where m.tenant_id = session.tenant_id and m.active order by m.name) as modules,
         tenant.suspended_at is not null as "isSuspended",
         ${PASSED_QUOTAS} as "passedQuotas",
         tenant.require_second_factor and users.second_factor_since is null and not session.by_oidc
           as "lacksSecondFactor"
    from unnest($asked.keys::uuid[]) as wanted (id),
         lateral (select id, tenant_id, user_id, by_oidc from sessions
                   where sessions.id = wanted.id and ended_at is null and expires_at > now() limit 1) as session,
         lateral (select id, name, role, second_factor_since from users
                   where users.tenant_id = session.tenant_id and users.id = session.user_id and active limit 1) as users,
         lateral (select id, suspended_at, require_second_factor, media_bytes_max, event_bytes_max from tenants
                   where tenants.id = session.tenant_id limit 1) as tenant`,
  { asked },
);

/** Returns the e-mails, in lower case, that active users of the tenant have confirmed. */
export type FindConfirmedEmails = (tenantId: string, emails: readonly string[]) => Promise<string[]>;

export function confirmedEmailLookup(pool: Pool): FindConfirmedEmails {
  return async (tenantId, emails) => {
    const { rows } = await pool.query<{ email: string }>(findConfirmedEmails({ tenantId, emails }));
    return rows.map(({ email }) => email);
  };
}

const findConfirmedEmails = namedStatement<{ tenantId: string; emails: readonly string[] }>(
  `
  select email from users
   where tenant_id = $asked.tenant_id and email = any($asked.emails::text[]) and active and confirmed_at is not null`,
  { asked: { tenant_id: ({ tenantId }) => tenantId, emails: ({ emails }) => emails } },
);

/** Returns null unless the public may read the tenant's media. */
export type FindMediaTenant = (tenantId: string) => Promise<{ readonly id: string } | null>;

export function mediaTenantLookup(pool: Pool): FindMediaTenant {
  return batchLookup<{ id: string }>(
    pool,
    (keys) => findMediaTenants({ keys }),
    ({ id }) => id,
  );
}

const findMediaTenants = namedStatement<Pick<Asked, "keys">>(
  `
  select id from tenants
   where id = any($asked.keys::uuid[]) and suspended_at is null
     and exists (select from tenant_modules m where m.tenant_id = tenants.id and m.name = 'content' and m.active)`,
  { asked: { keys: ({ keys }) => keys } },
);

const KEYS_MAX = 200;
// If a query takes longer, the next one does not wait for it.
const MAX_WAIT_MS = 5;

function batchLookup<Row extends object>(
  pool: Pool,
  statement: (keys: readonly string[]) => QueryConfig,
  keyOf: (row: Row) => string,
): (key: string) => Promise<Row | null> {
  return batch<string, Row | null>({
    itemsMax: KEYS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (keys) => {
      const { rows } = await pool.query<Row>(statement([...new Set(keys)]));
      const byKey = new Map(rows.map((row) => [keyOf(row), row]));
      return keys.map((key) => byKey.get(key) ?? null);
    },
  });
}
