// An erasure whose process dies by SIGKILL after a step goes on where it ended (interface §20).
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import {
  captureMessages,
  createServiceDatabase,
  createTestBroker,
  findWords,
  openTestPool,
  type ServiceProcess,
  signedClient,
  startServiceProcess,
  until,
} from "@tradepost/testing";

const SERVICE = path.resolve(import.meta.dirname, "..");
const WORD = "Zqcrashed";
const ORDERS = 45;
const secret = randomBytes(32).toString("hex");
const tenantId = randomUUID();

let running: ServiceProcess;

const failAt = () => path.join(folder, "fail-at");
const start = async () => {
  await writeFile(failAt(), "");
  running = await startServiceProcess(path.join(SERVICE, "src/main.ts"), {
    env: {
      ...process.env,
      ...{ ORDERS_DATABASE_URL: database.serviceUrl, AMQP_URL: broker.amqpUrl, GATEWAY_SECRET: secret },
      ...{ TRADEPOST_FAIL_AT_FILE: failAt(), LOG_LEVEL: "warn" },
    },
  });
};
const client = () => signedClient(running.url, secret, { tenantId });

const [database, broker, folder] = await Promise.all([
  createServiceDatabase("orders"),
  createTestBroker(),
  mkdtemp(path.join(os.tmpdir(), "tradepost-erasure-")),
]);
await start();
const audit = await captureMessages(broker.amqpUrl, "#", { exchange: "platform.audit" });
afterAll(async () => {
  await running.kill("SIGKILL");
  await audit.stop();
  await Promise.all([database.drop(), broker.drop(), rm(folder, { recursive: true, force: true })]);
});

// The steps: the customer, the orders in three steps, the words, the responses.
test.each([1, 3, 5])("after step %p nothing is left out and nothing is done twice", async (step) => {
  const { body } = await client().post("/v1/customers", { name: WORD, email: `${WORD}@example.com` });
  const customerId = body.data.id;
  const order = { customerId, items: [{ sku: "A", name: "Mug" }], customerNote: WORD };
  const bulk = await client().post(
    "/v1/orders/bulk",
    { orders: Array.from({ length: ORDERS }, () => order) },
    { "idempotency-key": customerId },
  );
  expect(bulk.status).toBe(200);
  await writeFile(failAt(), `erasure.step-committed:${step}`);
  // The process may die before it responds.
  await client()
    .post(`/v1/customers/${customerId}/erasure`)
    .catch(() => undefined);
  await until("the death", async () =>
    fetch(`${running.url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  await running.kill("SIGKILL");
  await start();

  const pool = openTestPool(database.url, 1);
  await until("the end of the erasure", async () => {
    const { rows } = await pool.query(
      "select from erasures where customer_id = $1 and finished_at is not null",
      [customerId],
    );
    return rows.length === 1;
  });
  expect(await findWords(database.url, [WORD])).toEqual([]);
  const { rows } = await pool.query(
    `select version, count(*)::int as count from orders where tenant_id = $1 and customer_id = $2 group by version`,
    [tenantId, customerId],
  );
  await pool.end();
  expect(rows).toEqual([{ version: 2, count: ORDERS }]);
});
