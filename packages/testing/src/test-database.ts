// A database for each test file, on the Postgres server that `npm test` starts, so that files run concurrently.
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readSettings } from "@tradepost/runtime";
import pg from "pg";
import { z } from "zod";

const settings = z.object({ TEST_POSTGRES_URL: z.url() });

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Creates an empty database, on the shared server unless `serverUrl` names another; or a copy of the database `template`.
 *
 * @throws SettingsError outside of `npm test`.
 */
export async function createTestDatabase(
  serverUrl = sharedServer(),
  template = "template1",
): Promise<TestDatabase> {
  return await createDatabase(`test_${randomBytes(6).toString("hex")}`, serverUrl, template);
}

async function createDatabase(
  name: string,
  serverUrl: string,
  template = "template1",
): Promise<TestDatabase> {
  await execute(serverUrl, `create database ${name} template ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

function sharedServer(): string {
  return readSettings(settings).TEST_POSTGRES_URL;
}

export interface TestServiceDatabase extends TestDatabase {
  /** As the role that owns the database and migrates it: not a superuser, and not allowed to create roles. */
  readonly ownerUrl: string;
  /** As the role that the service's process logs in as. */
  readonly serviceUrl: string;
}

// The same statements as in production and in `npm start`.
const CREATE_ROLES = new URL("../../../deploy/postgres/create-roles.sql", import.meta.url);
// Any number that nothing else locks.
const ROLES_LOCK = 712_004_711;

/**
 * Creates a database of a service with its roles, migrated, on the shared server: a copy of the service's template.
 *
 * @throws SettingsError outside of `npm test`.
 */
export async function createServiceDatabase(service: string): Promise<TestServiceDatabase> {
  const database = await createTestDatabase(sharedServer(), templateOf(service));
  // A copy looks like a database that was restored elsewhere.
  await execute(database.url, "update restores set identity = database_identity()");
  return await withRoles(database, service, sharedServer());
}

/**
 * Creates an empty database with the roles of a service, on the shared server unless `serverUrl` names another.
 *
 * @throws SettingsError outside of `npm test`.
 */
export async function createEmptyServiceDatabase(
  service: string,
  serverUrl = sharedServer(),
): Promise<TestServiceDatabase> {
  return await withRoles(await createTestDatabase(serverUrl), service, serverUrl);
}

/**
 * Creates the databases that `createServiceDatabase` copies, once for all test files of a run. `migrate` gets their URLs as their
 * owners, by service.
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
}

function templateOf(service: string): string {
  return `template_${service}`;
}

/** Gives a database to the roles of a service. Roles belong to the server, so all test files share them. */
async function withRoles(
  database: TestDatabase,
  service: string,
  serverUrl: string,
): Promise<TestServiceDatabase> {
  const password = createHash("sha256").update(serverUrl).digest("hex");
  const roles = {
    service,
    owner: "tradepost_test_owner",
    owner_password: password,
    login: `tradepost_test_${service}_login`,
    login_password: password,
  };
  // Two sessions that change the same role at once would fail. The lock is taken in a database that all test files share,
  // because an advisory lock holds within one database only.
  await execute(serverUrl, `select pg_advisory_lock(${ROLES_LOCK})`, async () => {
    const set = Object.entries(roles).map(([name, value]) => `set tradepost.${name} = '${value}';`);
    await execute(database.url, set.join("\n") + (await readFile(CREATE_ROLES, "utf8")));
  });
  const urlOf = (role: string) => {
    const url = new URL(database.url);
    url.username = role;
    url.password = password;
    return url.href;
  };
  return { ...database, ownerUrl: urlOf(roles.owner), serviceUrl: urlOf(roles.login) };
}

/** Executes a statement, runs `andThen` while the connection is open, and disconnects. */
async function execute(
  url: string,
  statement: string,
  andThen: () => Promise<void> = async () => {},
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
    await andThen();
  } finally {
    await client.end();
  }
}
