// Migrations run in another process, as the owner of the database. A service waits for them at its start.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { type Logger, RELEASE, StartError, sleep } from "@tradepost/runtime";
import type { Pool } from "pg";
import { connectPostgres, type PostgresOptions } from "./connect.ts";
import { isDatabaseUnavailable } from "./database-errors.ts";
import { logNewerMigrations, newerMigrations, readExecutedMigrations } from "./migration-promises.ts";

const POLL_EVERY_MS = 500;

/**
 * Waits until all migrations of the folder have run, and resolves with the newest one. A newer release may have run further ones, if
 * each promises to work with this release (docs/decisions/0018). `url` and `roles` are the service's own; the first role reads the
 * table of migrations.
 *
 * With `waits: false`, it throws instead of waiting: a StartError, or the error of the connection.
 * @throws StartError if the database refuses the login, if the login may not act as one of the roles, or if a newer release's
 * migration does not promise to work with this release.
 */
export async function waitForMigrations(options: {
  url: string;
  roles: readonly [string, ...string[]];
  folder: URL;
  /** The release of this code, for tests. */
  release?: string;
  waits?: boolean;
  /** 5 s by default. */
  connectTimeoutMs?: number;
  logger: Logger;
}): Promise<string | undefined> {
  const { roles, folder, release = RELEASE, waits = true, ...access } = options;
  const { url, logger } = access;
  const needed = (await readdir(folder)).filter((file) => file.endsWith(".sql"));
  const names = needed.map((file) => path.basename(file, ".sql")).sort();
  const once = { ...access, connectionsMax: 1, prepare: false };
  const { pool, stop } = connectPostgres({ ...once, role: roles[0], name: "wait-for-migrations" });
  try {
    for (let loggedReason = ""; ; ) {
      const { waitingFor, newer, isRoleRefused, details } = await compare(pool, names, release);
      if (waitingFor === undefined || isRoleRefused) await checkMemberships(once, roles);
      if (waitingFor === undefined) {
        logNewerMigrations(newer, release, logger);
        return newer.at(-1) ?? names.at(-1);
      }
      if (!waits) throw details?.err ?? new StartError(`the database lacks migrations: ${details?.missing}`);
      if (loggedReason !== waitingFor) logger.warn(details, `waiting for ${waitingFor}`);
      loggedReason = waitingFor;
      await sleep(POLL_EVERY_MS);
    }
  } catch (error) {
    throw explainRefusal(error, url);
  } finally {
    await stop();
  }
}

interface Comparison {
  readonly newer: readonly string[];
  /** Absent if there is nothing to wait for. */
  readonly waitingFor?: string;
  readonly isRoleRefused?: boolean;
  readonly details?: { readonly err?: unknown; readonly missing?: readonly string[] };
}

async function compare(pool: Pool, names: readonly string[], release: string): Promise<Comparison> {
  try {
    const executed = await readExecutedMigrations(pool);
    const newer = newerMigrations(executed, names, release);
    const missing = names.filter((name) => !executed.names.includes(name));
    return missing.length === 0 ? { newer } : { waitingFor: "migrations", newer, details: { missing } };
  } catch (error) {
    const waiting = { newer: [], details: { err: error } };
    if (isDatabaseUnavailable(error)) return { waitingFor: "the database", ...waiting };
    if (isForbidden(error, TO_CONNECT)) throw error;
    // The role has no rights yet.
    if ((error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE)
      return { waitingFor: "migrations", isRoleRefused: isForbidden(error, TO_ACT), ...waiting };
    throw error;
  }
}

// Invalid password, not allowed by pg_hba.conf, and no such database.
const REFUSED = new Set(["28P01", "28000", "3D000"]);
const INSUFFICIENT_PRIVILEGE = "42501";
// To connect to the database, and to act as the connection's role.
const TO_CONNECT = /permission denied for database/;
const TO_ACT = /set role/;

/** Returns a StartError if Postgres refuses the login or TLS fails, otherwise the error itself. */
function explainRefusal(error: unknown, url: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  const isAboutTls = /certificate|SSL|TLS/i.test(message ?? "");
  return REFUSED.has(String(code)) || isForbidden(error, TO_CONNECT) || isAboutTls
    ? new StartError(`The database at ${addressOf(url)} refuses the connection: ${message}.`)
    : error;
}

function isForbidden(error: unknown, what: RegExp): boolean {
  const { code, message } = error as { code?: unknown; message?: string };
  return code === INSUFFICIENT_PRIVILEGE && what.test(message ?? "");
}

/** Memberships exist before the migrations run, or are granted by the migration that creates the role. */
async function checkMemberships(
  once: Omit<PostgresOptions, "name">,
  roles: readonly string[],
): Promise<void> {
  const { pool, stop } = connectPostgres({ ...once, name: "check-roles" });
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
      `The login "${login}" at ${addressOf(once.url)} may not act as the role "${role}": grant "${role}" to "${login}".`,
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
