// Explains why a service cannot use its database until a person has changed something.
import { type Logger, StartError } from "@tradepost/runtime";
import { connectPostgres } from "./connect.ts";

// Invalid password, not allowed by pg_hba.conf, and no such database.
const REFUSED = new Set(["28P01", "28000", "3D000"]);
const INSUFFICIENT_PRIVILEGE = "42501";

/** Returns the error to throw: a StartError if Postgres refuses the login or TLS fails, and otherwise the error itself. */
export function explainRefusal(error: unknown, url: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  const isAboutTls = /certificate|SSL|TLS/i.test(message ?? "");
  return REFUSED.has(String(code)) || isDatabaseForbidden(error) || isAboutTls
    ? new StartError(`The database at ${addressOf(url)} refuses the connection: ${message}.`)
    : error;
}

/** True if the login may not connect to the database. */
export function isDatabaseForbidden(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string };
  return code === INSUFFICIENT_PRIVILEGE && /permission denied for database/.test(message ?? "");
}

/** True if a connection could not begin because its login may not act as its role. */
export function isRoleRefused(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string };
  return code === INSUFFICIENT_PRIVILEGE && /set role/.test(message ?? "");
}

/**
 * Throws a StartError if the URL's login is not a member of one of the roles that exist. Memberships exist before the migrations
 * run, or are granted by the migration that creates the role.
 */
export async function checkMemberships(url: string, roles: readonly string[], logger: Logger): Promise<void> {
  const once = { connectionsMax: 1, prepare: false, logger };
  const { pool, stop } = connectPostgres({ url, name: "check-roles", ...once });
  try {
    const { rows } = await pool.query<{ login: string; role: string }>(
      `select session_user as login, rolname as role from pg_roles
        where rolname = any($1) and not pg_has_role(session_user, oid, 'member')
          and to_regclass('kysely_migration') is not null
        limit 1`,
      [roles],
    );
    const [refused] = rows;
    if (refused === undefined) return;
    const { login, role } = refused;
    throw new StartError(
      `The login "${login}" at ${addressOf(url)} may not act as the role "${role}": grant "${role}" to "${login}".`,
    );
  } finally {
    await stop();
  }
}

/** Returns the host and path of the URL, without the login and password. */
function addressOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${host || searchParams.get("host")}${pathname}`;
}
