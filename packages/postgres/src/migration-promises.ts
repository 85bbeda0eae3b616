// A migration promises with which releases it works: `-- works with: 1.0.0` means 1.0.0 and newer. The database stores it, so that
// an older release without the file can tell whether it may run.
import { type Logger, StartError } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Pool } from "pg";

const PROMISE = /^-- works with: (.*)$/m;
const RELEASE_NUMBER = /^\d+\.\d+\.\d+$/;

/** Undefined if the text does not say. */
export function promiseOf(name: string, text: string): string | undefined {
  const release = PROMISE.exec(text)?.[1];
  if (release !== undefined && !RELEASE_NUMBER.test(release))
    throw new Error(`migration ${name}: "works with" must be a release such as 1.0.0, not ${release}`);
  return release;
}

/** Roles that may read which migrations have run may read it too. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely passes a database of unknown tables to migrations.
export async function recordPromise(db: Kysely<any>, name: string, oldest: string): Promise<void> {
  await sql`create table if not exists migration_promises (name text primary key, works_with text not null)`.execute(
    db,
  );
  await sql`insert into migration_promises values (${name}, ${oldest})
            on conflict (name) do update set works_with = excluded.works_with`.execute(db);
  await sql
    .raw(`do $$
      declare
        reader text;
      begin
        for reader in
          select distinct grantee::regrole::text
            from pg_class, aclexplode(relacl)
           where oid = 'kysely_migration'::regclass and privilege_type = 'SELECT' and grantee <> relowner and grantee <> 0
        loop
          execute format('grant select on migration_promises to %s', reader);
        end loop;
      end
      $$`)
    .execute(db);
}

export interface ExecutedMigrations {
  readonly names: readonly string[];
  readonly promises: ReadonlyMap<string, string>;
}

/** Reads migrations before promises: promises are never removed, so none is missing. */
export async function readExecutedMigrations(pool: Pool): Promise<ExecutedMigrations> {
  const executed = await readIfExists<{ name: string }>(pool, "kysely_migration", "name");
  const promises = await readIfExists<{ name: string; works_with: string }>(
    pool,
    "migration_promises",
    "name, works_with",
  );
  return {
    names: executed.map(({ name }) => name).sort(),
    promises: new Map(promises.map(({ name, works_with }) => [name, works_with])),
  };
}

async function readIfExists<Row extends object>(pool: Pool, table: string, columns: string): Promise<Row[]> {
  const found = await pool.query<{ exists: boolean }>(`select to_regclass('${table}') is not null as exists`);
  return found.rows[0]?.exists ? (await pool.query<Row>(`select ${columns} from ${table}`)).rows : [];
}

/**
 * Returns the migrations that `release`, which has the migrations `known`, does not know.
 * @throws StartError if one of these does not promise to work with `release`, or if the first migration of `known` is not among
 * the executed ones.
 */
export function newerMigrations(
  { names, promises }: ExecutedMigrations,
  known: Iterable<string>,
  release: string,
): string[] {
  const ours = new Set(known);
  const first = [...ours].sort()[0] ?? "";
  if (names.length > 0 && !names.includes(first))
    throw new StartError(
      `the database has migration ${names[0]} and not ${first}: it belongs to another service, or to a build before release 1.0.0, which cannot be upgraded: use an empty database`,
    );
  const newer = names.filter((name) => !ours.has(name));
  for (const name of newer) {
    const oldest = promises.get(name);
    if (oldest === undefined)
      throw new StartError(
        `the database has migration ${name}, which release ${release} does not know, and which does not promise to work with it: deploy the release that has this migration, or a newer one`,
      );
    if (oldest.localeCompare(release, "en", { numeric: true }) > 0)
      throw new StartError(
        `the database has migration ${name}, which does not work with release ${release}: deploy release ${oldest} or newer`,
      );
  }
  return newer;
}

export function logNewerMigrations(newer: readonly string[], release: string, logger: Logger): void {
  if (newer.length > 0)
    logger.info(
      { migrations: newer, release },
      "a newer release has migrated the database and promises to work with this one",
    );
}
