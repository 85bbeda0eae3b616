import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readSettings } from "@tradepost/runtime";
import pg from "pg";
import { z } from "zod";

const settings = z.object({ TEST_POSTGRES_URL: z.url(), TEST_REDIS_URL: z.url().optional() });

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Creates an empty database on the server of `npm test`.
 *
 * @throws SettingsError outside `npm test`.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  return await createDatabase(newName(), sharedServer());
}

function newName(): string {
  return `test_${randomBytes(6).toString("hex")}`;
}

/** Executes `statements` on the same connection, which is to another database of the server. */
async function createDatabase(
  name: string,
  serverUrl: string,
  template = "template1",
  statements: readonly string[] = [],
): Promise<TestDatabase> {
  await execute(serverUrl, [`create database ${name} template ${template}`, ...statements]);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => execute(serverUrl, [`drop database if exists ${name} with (force)`]),
  };
}

function sharedServer(): string {
  return readSettings(settings).TEST_POSTGRES_URL;
}

export interface TestServiceDatabase extends TestDatabase {
  /** The role that owns and migrates the database: no superuser, and it may not create roles. */
  readonly ownerUrl: string;
  readonly serviceUrl: string;
}

// The statements that create roles in production and in `npm start`.
const CREATE_ROLES = new URL("../../../deploy/postgres/create-roles.sql", import.meta.url);
const ROLES_LOCK = 712_004_711;

/**
 * Creates a service's database, migrated: a copy of the service's template.
 *
 * @throws SettingsError outside `npm test`.
 */
export async function createServiceDatabase(service: string): Promise<TestServiceDatabase> {
  const serverUrl = sharedServer();
  const name = newName();
  // A copy has the rights of its template, but not its owner and who may connect.
  const database = await createDatabase(name, serverUrl, templateOf(service), [
    `alter database ${name} owner to ${OWNER}`,
    `revoke all on database ${name} from public`,
    `grant connect on database ${name} to ${loginOf(service)}`,
  ]);
  // Without this, the copy would look like a database that was restored elsewhere.
  await execute(database.url, ["update restores set identity = database_identity()"]);
  return withRoleUrls(database, service, serverUrl);
}

/**
 * Creates an empty database with a service's roles.
 *
 * @throws SettingsError outside `npm test`.
 */
export async function createEmptyServiceDatabase(
  service: string,
  serverUrl = sharedServer(),
): Promise<TestServiceDatabase> {
  return await withRoles(await createDatabase(newName(), serverUrl), service, serverUrl);
}

/**
 * Creates the templates that `createServiceDatabase` copies, once for a run. `migrate` gets the URLs of their owners, by service.
 */
export async function createServiceTemplates(
  services: readonly string[],
  serverUrl: string,
  migrate: (owners: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const owners = await Promise.all(
    services.map(async (service) => {
      const template = await createDatabase(templateOf(service), serverUrl);
      return [service, (await withRoles(template, service, serverUrl)).ownerUrl] as const;
    }),
  );
  await migrate(Object.fromEntries(owners));
  // Creating the first partitions takes longer than the copy.
  await Promise.all(owners.map(([, ownerUrl]) => execute(ownerUrl, [MAKE_FIRST_DAYS])));
}

const MAKE_FIRST_DAYS = `
  select make_day(name, (now() at time zone 'utc')::date + days_ahead) from day_tables, generate_series(0, 3) days_ahead`;

function templateOf(service: string): string {
  return `template_${service}`;
}

const OWNER = "tradepost_test_owner";

function loginOf(service: string): string {
  return `tradepost_test_${service}_login`;
}

/** Roles belong to the server, so all test files share them. */
async function withRoles(
  database: TestDatabase,
  service: string,
  serverUrl: string,
): Promise<TestServiceDatabase> {
  const password = passwordOf(serverUrl);
  const roles = {
    service,
    owner: OWNER,
    owner_password: password,
    login: loginOf(service),
    login_password: password,
  };
  // Two sessions that change a role at once would fail. The lock is in the shared database, because a lock applies to one database.
  await execute(serverUrl, [`select pg_advisory_lock(${ROLES_LOCK})`], async () => {
    const set = Object.entries(roles).map(([name, value]) => `set tradepost.${name} = '${value}';`);
    await execute(database.url, [set.join("\n") + (await readFile(CREATE_ROLES, "utf8"))]);
  });
  return withRoleUrls(database, service, serverUrl);
}

function withRoleUrls(database: TestDatabase, service: string, serverUrl: string): TestServiceDatabase {
  const urlOf = (role: string) => {
    const url = new URL(database.url);
    url.username = role;
    url.password = passwordOf(serverUrl);
    return url.href;
  };
  return { ...database, ownerUrl: urlOf(OWNER), serviceUrl: urlOf(loginOf(service)) };
}

/** The same in all test files that use the server. */
function passwordOf(serverUrl: string): string {
  return createHash("sha256").update(serverUrl).digest("hex");
}

async function execute(
  url: string,
  statements: readonly string[],
  andThen: () => Promise<void> = async () => {},
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
    await andThen();
  } finally {
    await client.end();
  }
}

/**
 * The caller ends the pool. A test then drops its database, and the server terminates sessions that have not read the pool's
 * goodbye. Without a listener, that would end the process.
 */
export function openTestPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on("error", () => {});
  return pool;
}

/** Finds words, as text or bytes, as the owner. They have 6 letters and digits or more, so that no id contains one. */
export async function findWords(url: string, words: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name
         from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where relkind in ('r', 'p', 'm') and not relispartition and nspname not in ('pg_catalog', 'information_schema')`,
    );
    const patterns = words.flatMap((word) => [
      word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
      ...[word, word.toLowerCase()].map((text) => Buffer.from(text).toString("hex")),
    ]);
    // Much cheaper than in SQL.
    const anyPattern = new RegExp(patterns.join("|"), "i");
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select one::text as row from ${name} as one`);
      const [match] = rows.flatMap(({ row }) => anyPattern.exec(row) ?? []);
      if (match !== undefined) found.push(`${name} has ${match}`);
    }
    return found.sort();
  } finally {
    await client.end();
  }
}

/** Undefined without a Redis: skip the test then. Test files share it, so use unique keys. */
export function testRedisUrl(): string | undefined {
  return readSettings(settings).TEST_REDIS_URL;
}
