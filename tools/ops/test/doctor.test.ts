// `ops doctor` on servers that are right, and with each kind of fault.
import { randomBytes } from "node:crypto";
import {
  createServiceDatabase,
  createTestBroker,
  freePort,
  openTestPool,
  type TestServiceDatabase,
} from "@tradepost/testing";
import { SERVICES, type ServiceName } from "../src/addresses.ts";
import { run } from "./support/run.ts";

type Variables = Record<string, string>;

const secret = () => randomBytes(32).toString("base64");
const [ofOrders, ofContent, ofWebhooks, signing, links, sealing] = Array.from({ length: 6 }, secret);

const created = await Promise.all(SERVICES.map((service) => createServiceDatabase(service)));
const databases = Object.fromEntries(SERVICES.map((service, index) => [service, created[index]])) as Record<
  ServiceName,
  TestServiceDatabase
>;
const broker = await createTestBroker();
const away = String(await freePort());
const of = (service: ServiceName, own: object) => ({
  [`${service.toUpperCase()}_DATABASE_URL`]: databases[service].serviceUrl,
  ...{ AMQP_URL: broker.amqpUrl, ...own },
});
const right = {
  gateway: of("gateway", {
    ORDERS_URL: "http://orders",
    CONTENT_URL: "http://content",
    WEBHOOKS_URL: "http://webhooks",
    ORDERS_GATEWAY_SECRET: ofOrders,
    CONTENT_GATEWAY_SECRET: ofContent,
    WEBHOOKS_GATEWAY_SECRET: ofWebhooks,
    TOKEN_SIGNING_KEYS: `k1:${signing}`,
  }),
  orders: of("orders", { GATEWAY_SECRET: ofOrders }),
  content: of("content", { GATEWAY_SECRET: ofContent, CONTENT_MEDIA_LINK_SECRETS: links }),
  webhooks: of("webhooks", { GATEWAY_SECRET: ofWebhooks, WEBHOOKS_SEALING_KEY: sealing }),
};
afterAll(async () => {
  await Promise.all(Object.values(databases).map((database) => database.drop()));
  await broker.drop();
});

test("nothing is to do if all is right", async () => {
  const { code, stdout, stderr } = await ops("doctor");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines.at(-1)).toBe("Nothing to do.");
  expect(lines.filter((line) => line.startsWith("ok "))).toHaveLength(lines.length - 1);
  expect(lines).toContain("ok     webhooks: sealing keys");
  expect(JSON.parse((await ops("doctor --json")).stdout)).toContainEqual({
    ...{ check: "orders: broker, virtual host and exchanges", fault: null, see: null },
  });
});

describe("says what to do about", () => {
  const changed = (url: string, parts: Partial<URL>) => Object.assign(new URL(url), parts).href;
  const orders = (parts: Partial<URL>) => ({
    ORDERS_DATABASE_URL: changed(databases.orders.serviceUrl, parts),
  });
  const START = "docs/operating\\.md#starting-and-stopping";
  const DATABASE = "database, migrations and roles";
  const BROKER = "broker, virtual host and exchanges";
  const DISCONNECTED = "docs/runbooks/broker-disconnected\\.md";

  test.each<[string, Variables, string]>([
    [
      "a wrong password",
      orders({ password: "wrong-one" }),
      `${DATABASE}: The database at \\S+ refuses the connection: password authentication failed for user \\S+: see ${START}`,
    ],
    [
      "a database that is away",
      orders({ port: away }),
      `${DATABASE}: connection refused at \\S+: see docs/runbooks/database-unavailable\\.md`,
    ],
    [
      "a broker that is away",
      { AMQP_URL: changed(broker.amqpUrl, { port: away }) },
      `${BROKER}: connection refused at \\S+: see ${DISCONNECTED}`,
    ],
    [
      "a virtual host that does not exist",
      { AMQP_URL: changed(broker.amqpUrl, { pathname: "/nowhere" }) },
      `${BROKER}: 530 NOT_ALLOWED - .*nowhere.*: see ${DISCONNECTED}`,
    ],
    [
      "invalid settings",
      { PORT: "http", EVENTS_KEEP_DAYS: "1" },
      "settings: PORT must be a whole number from 0 to 65535; EVENTS_KEEP_DAYS must be .*: see services/orders/README\\.md",
    ],
    [
      "a secret that differs",
      { GATEWAY_SECRET: secret() },
      "the secret shared with the gateway: GATEWAY_SECRET lacks .*: see docs/runbooks/signatures-refused\\.md",
    ],
  ])("%s", async (_what, orders, line) => {
    const { code, stdout } = await ops("doctor", { orders });
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^fails  orders: ${line}$`, "m"));
    expect(stdout).toMatch(/^1 of \d+ checks fail\.$/m);
  });

  test("migrations that are missing or newer, and an exchange that is missing", async () => {
    await change("content", "delete from kysely_migration where name like '0002-%'");
    await change("gateway", "insert into kysely_migration values ('9999-later', now()::text)");
    await broker.manage("DELETE", "/exchanges/platform.replay");
    const { code, stdout } = await ops("doctor");
    expect(code).toBe(1);
    for (const line of [
      `content: database, .*: the database lacks migrations: 0002-\\S+: see ${START}`,
      `gateway: database, .*: the database has migration 9999-later, which .*: see ${START}`,
      "webhooks: broker, .*: the broker lacks the exchanges platform.replay: see docs/runbooks/broker-disconnected\\.md",
    ])
      expect(stdout).toMatch(new RegExp(`^fails  ${line}$`, "m"));
  });
});

test("no secret is printed", async () => {
  const urls = [broker.amqpUrl, ...Object.values(databases).map(({ serviceUrl }) => serviceUrl)];
  const secrets = [ofOrders, ofContent, ofWebhooks, signing, links, sealing, "wrong-one"] as string[];
  secrets.push(...urls.map((url) => new URL(url).password));
  // Without its host, the broker's address is at fault.
  const hostless = broker.amqpUrl.replace(/@[^/]*/, "@");
  const wrong = { PORT: "http", AMQP_URL: hostless, WEBHOOKS_SEALING_KEY: `${sealing}=` };
  for (const command of ["doctor", "doctor --json", "config", "config --json"])
    for (const orders of [{}, wrong]) {
      const { stdout, stderr } = await ops(command, { orders, webhooks: orders });
      expect(secrets.filter((text) => `${stdout}${stderr}`.includes(text))).toEqual([]);
    }
});

function ops(command: string, changes: Partial<Record<ServiceName, Variables>> = {}) {
  const environment = (service: ServiceName) => ({ ...right[service], ...changes[service] });
  return run(command, { environment: (service) => ({ of: "a test", variables: environment(service) }) });
}

async function change(service: ServiceName, text: string): Promise<void> {
  const pool = openTestPool(databases[service].url, 1);
  await pool.query(text);
  await pool.end();
}
