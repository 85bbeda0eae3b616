// The lookups behind every request (docs/decisions/0008). Lookups that arrive while a query runs go together in the next one.
// Nothing is cached: each result comes from a query that began after its lookup, so that a revocation takes effect at once.
import type { Quota, Role } from "@tradepost/http";
import { batch } from "@tradepost/runtime";
import type { Pool } from "pg";
import { passedQuotas, type QuotasOfSettings } from "../usage/usage.ts";
import type { TokenClaims } from "./sessions/dashboard-token.ts";

interface KeyIdentity {
  readonly id: string;
  readonly keyId: string;
  readonly tenantId: string;
  readonly label: string;
  readonly scopes: string[];
  readonly secretHash: Buffer;
  /** Neither revoked nor expired, by the database's clock. */
  readonly isLive: boolean;
  readonly modules: string[];
  /** The operator has suspended the tenant. */
  readonly isSuspended: boolean;
  readonly passedQuotas: Quota[];
}

/** Finds a key by its public id; resolves with null if there is none. */
export type FindKey = (keyId: string) => Promise<KeyIdentity | null>;

export function keyLookup(pool: Pool, { mediaBytes, eventBytes }: QuotasOfSettings): FindKey {
  return batchLookup(async (keyIds) => {
    const { rows } = await pool.query<KeyIdentity>({
      text: FIND_KEYS,
      values: [keyIds, mediaBytes, eventBytes],
    });
    return new Map(rows.map((row) => [row.keyId, row]));
  });
}

const FIND_KEYS = `
  select id, key_id as "keyId", tenant_id as "tenantId", label, scopes, secret_hash as "secretHash",
         revoked_at is null and (expires_at is null or expires_at > now()) as "isLive",
         array(select name from tenant_modules m
                where m.tenant_id = api_keys.tenant_id and m.active order by name) as modules,
         (select suspended_at is not null from tenants where tenants.id = api_keys.tenant_id) as "isSuspended",
         ${passedQuotas("api_keys.tenant_id", "$2", "$3")} as "passedQuotas"
    from api_keys
   where key_id = any($1)`;

interface SessionIdentity {
  readonly id: string;
  readonly sessionId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly role: Role;
  readonly modules: string[];
  /** The operator has suspended the tenant. */
  readonly isSuspended: boolean;
  readonly passedQuotas: Quota[];
  /** The tenant requires a second factor, and the user has none. */
  readonly lacksSecondFactor: boolean;
}

/**
 * Resolves with the session's user, or with null if the session has ended or expired, the user is inactive or deleted, or
 * the claims name another user or tenant.
 */
export type FindSession = (claims: TokenClaims) => Promise<SessionIdentity | null>;

export function sessionLookup(pool: Pool, { mediaBytes, eventBytes }: QuotasOfSettings): FindSession {
  const find = batchLookup(async (sessionIds) => {
    const { rows } = await pool.query<SessionIdentity>({
      text: FIND_SESSIONS,
      values: [sessionIds, mediaBytes, eventBytes],
    });
    return new Map(rows.map((row) => [row.sessionId, row]));
  });
  return async ({ sessionId, userId, tenantId }) => {
    const user = await find(sessionId);
    return user?.id === userId && user.tenantId === tenantId ? user : null;
  };
}

// The LIMITs make Postgres find the sessions first and then the user and the tenant of each. Without them, a plan made while the tables were
// nearly empty could join whole tables.
const FIND_SESSIONS = `
  select users.id, session.id as "sessionId", session.tenant_id as "tenantId", users.name, users.role,
         array(select m.name from tenant_modules m
                where m.tenant_id = session.tenant_id and m.active order by m.name) as modules,
         tenant.suspended_at is not null as "isSuspended",
         ${passedQuotas("session.tenant_id", "$2", "$3")} as "passedQuotas",
         tenant.require_second_factor and users.second_factor_since is null as "lacksSecondFactor"
    from unnest($1::uuid[]) as wanted (id),
         lateral (select id, tenant_id, user_id from sessions
                   where sessions.id = wanted.id and ended_at is null and expires_at > now() limit 1) as session,
         lateral (select id, name, role, second_factor_since from users
                   where users.tenant_id = session.tenant_id and users.id = session.user_id and active limit 1) as users,
         lateral (select suspended_at, require_second_factor from tenants
                   where tenants.id = session.tenant_id limit 1) as tenant`;

/** Filters the addresses: resolves with the ones, in lower case, that active users of the tenant have confirmed. */
export type FindConfirmedEmails = (tenantId: string, emails: readonly string[]) => Promise<string[]>;

export function confirmedEmailLookup(pool: Pool): FindConfirmedEmails {
  return async (tenantId, emails) => {
    const values = [tenantId, emails];
    const { rows } = await pool.query<{ email: string }>({ text: FIND_CONFIRMED_EMAILS, values });
    return rows.map(({ email }) => email);
  };
}

const FIND_CONFIRMED_EMAILS = `
  select email from users
   where tenant_id = $1 and email = any($2::text[]) and active and confirmed_at is not null`;

/** Resolves with null unless the public may read the tenant's media: its module is active, and it is not suspended. */
export type FindMediaTenant = (tenantId: string) => Promise<{ readonly id: string } | null>;

export function mediaTenantLookup(pool: Pool): FindMediaTenant {
  return batchLookup(async (tenantIds) => {
    const { rows } = await pool.query<{ id: string }>({ text: FIND_MEDIA_TENANTS, values: [tenantIds] });
    return new Map(rows.map((row) => [row.id, row]));
  });
}

const FIND_MEDIA_TENANTS = `
  select id from tenants
   where id = any($1::uuid[]) and suspended_at is null
     and exists (select from tenant_modules m where m.tenant_id = tenants.id and m.name = 'content' and m.active)`;

const KEYS_MAX = 200;
// A query takes less than 1 ms. If it takes longer than this, the next query does not wait for it.
const MAX_WAIT_MS = 5;

/**
 * Returns the lookup of one key, which resolves with null if there is no row. `find` queries many keys and resolves with the
 * rows by key.
 */
function batchLookup<Row>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
): (key: string) => Promise<Row | null> {
  return batch<string, Row | null>({
    itemsMax: KEYS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (keys) => {
      const rows = await find([...new Set(keys)]);
      return keys.map((key) => rows.get(key) ?? null);
    },
  });
}
