// Gives each test file its own database and its own broker vhost on the real servers that `npm test` started, so
// that files run side by side and queues keep the names that the contract gives them.
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readSettings } from "@tradepost/runtime";
import pg from "pg";
import { z } from "zod";

const settings = z.object({
  TEST_POSTGRES_URL: z.url(),
  TEST_AMQP_URL: z.url(),
  TEST_RABBITMQ_MANAGEMENT_URL: z.url(),
});

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Out: an empty database of its own. Throws SettingsError outside of `npm test`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { TEST_POSTGRES_URL } = readSettings(settings);
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(TEST_POSTGRES_URL, `create database ${name}`);
  const url = new URL(TEST_POSTGRES_URL);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(TEST_POSTGRES_URL, `drop database if exists ${name} with (force)`),
  };
}

export interface TestServiceDatabase extends TestDatabase {
  /** The role that owns the database and migrates it: no superuser, and not allowed to make roles. */
  readonly ownerUrl: string;
  /** The role that the service's process logs in as. */
  readonly serviceUrl: string;
}

// As docker-compose.yml and `npm start` make them.
const CREATE_ROLES = new URL("../../../deploy/postgres/create-roles.sql", import.meta.url);
// Any number will do that nobody else locks.
const ROLES_LOCK = 712_004_711;

/** The same with the service's roles, which all test files share because roles belong to the server. */
export async function createServiceDatabase(service: string): Promise<TestServiceDatabase> {
  const { TEST_POSTGRES_URL } = readSettings(settings);
  const database = await createTestDatabase();
  const password = createHash("sha256").update(TEST_POSTGRES_URL).digest("hex");
  const roles = {
    service,
    owner: "tradepost_test_owner",
    owner_password: password,
    login: `tradepost_test_${service}_login`,
    login_password: password,
  };
  // Two that change the same role at once would fail; a lock holds within one database only.
  await administer(TEST_POSTGRES_URL, `select pg_advisory_lock(${ROLES_LOCK})`, async () => {
    const set = Object.entries(roles).map(([name, value]) => `set tradepost.${name} = '${value}';`);
    await administer(database.url, set.join("\n") + (await readFile(CREATE_ROLES, "utf8")));
  });
  const as = (role: string) => {
    const url = new URL(database.url);
    url.username = role;
    url.password = password;
    return url.href;
  };
  return { ...database, ownerUrl: as(roles.owner), serviceUrl: as(roles.login) };
}

async function administer(
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

export interface TestBroker {
  readonly amqpUrl: string;
  /** The management API, with credentials. */
  readonly managementUrl: string;
  /** Asks the management API: `manage("GET", "/queues")` is about this vhost alone. */
  manage(method: "GET" | "PUT" | "POST" | "DELETE", path: string, body?: unknown): Promise<unknown>;
  /** Queues, messages and bindings are gone, the shared exchanges are new; whoever was connected is cut off. */
  wipe(): Promise<void>;
  drop(): Promise<void>;
}

// As deploy/rabbitmq/platform.json has them: whoever runs the platform declares these.
const SHARED_EXCHANGES = ["platform.events", "platform.audit", "platform.replay"];

/** Out: a vhost of its own with the exchanges that services share and nothing else. Throws SettingsError outside of `npm test`. */
export async function createTestBroker(): Promise<TestBroker> {
  const { TEST_AMQP_URL, TEST_RABBITMQ_MANAGEMENT_URL } = readSettings(settings);
  const vhost = `test_${randomBytes(6).toString("hex")}`;
  const management = new URL(TEST_RABBITMQ_MANAGEMENT_URL);
  const user = decodeURIComponent(management.username);
  const ask = (method: string, path: string, body?: unknown) => askManagement(management, method, path, body);

  const make = async () => {
    await ask("PUT", `/vhosts/${vhost}`);
    await ask("PUT", `/permissions/${vhost}/${user}`, { configure: ".*", write: ".*", read: ".*" });
    for (const name of SHARED_EXCHANGES)
      await ask("PUT", `/exchanges/${vhost}/${name}`, { type: "topic", durable: true });
  };
  const drop = async () => void (await ask("DELETE", `/vhosts/${vhost}`));
  await make();
  const amqpUrl = new URL(TEST_AMQP_URL);
  amqpUrl.pathname = `/${vhost}`;
  return {
    amqpUrl: amqpUrl.href,
    managementUrl: TEST_RABBITMQ_MANAGEMENT_URL,
    // `/queues/webhooks.dead` becomes `/queues/<vhost>/webhooks.dead`.
    manage: (method, path, body) => ask(method, path.replace(/^\/(\w+)/, `/$1/${vhost}`), body),
    wipe: async () => {
      await drop();
      await make();
    },
    drop,
  };
}

async function askManagement(base: URL, method: string, path: string, body: unknown): Promise<unknown> {
  const credentials = `${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`;
  const response = await fetch(`${base.protocol}//${base.host}/api${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
      "content-type": "application/json",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`management ${method} ${path}: ${response.status} ${text}`);
  return text === "" ? null : JSON.parse(text);
}
