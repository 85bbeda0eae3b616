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
 * Creates an empty database, on the shared server unless `serverUrl` names another.
 *
 * @throws SettingsError outside of `npm test`.
 */
export async function createTestDatabase(serverUrl = sharedServer()): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await execute(serverUrl, `create database ${name}`);
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
 * Creates an empty database with the roles of a service, on the shared server unless `serverUrl` names another. Roles belong
 * to the server, so all test files share them.
 *
 * @throws SettingsError outside of `npm test`.
 */
export async function createServiceDatabase(
  service: string,
  serverUrl = sharedServer(),
): Promise<TestServiceDatabase> {
  const database = await createTestDatabase(serverUrl);
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
