// Gives each test file its own database and its own broker vhost on the real servers that `npm test` started, so
// that files run side by side and queues keep the names that the contract gives them.
import { randomBytes } from "node:crypto";
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

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
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
  /** Everything in it is gone: queues, exchanges, messages; whoever was connected is cut off. */
  wipe(): Promise<void>;
  drop(): Promise<void>;
}

/** Out: an empty vhost of its own. Throws SettingsError outside of `npm test`. */
export async function createTestBroker(): Promise<TestBroker> {
  const { TEST_AMQP_URL, TEST_RABBITMQ_MANAGEMENT_URL } = readSettings(settings);
  const vhost = `test_${randomBytes(6).toString("hex")}`;
  const management = new URL(TEST_RABBITMQ_MANAGEMENT_URL);
  const user = decodeURIComponent(management.username);
  const ask = (method: string, path: string, body?: unknown) => askManagement(management, method, path, body);

  const make = async () => {
    await ask("PUT", `/vhosts/${vhost}`);
    await ask("PUT", `/permissions/${vhost}/${user}`, { configure: ".*", write: ".*", read: ".*" });
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
