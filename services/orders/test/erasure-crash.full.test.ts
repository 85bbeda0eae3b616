// An erasure whose process dies by SIGKILL after a step goes on where it ended (interface §20).
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { captureMessages, findWords, signedClient, startServiceProcess, until } from "@tradepost/testing";
import { sql } from "kysely";
import { ownTestOrders } from "./support/test-orders.ts";

const SERVICE = path.resolve(import.meta.dirname, "..");
const WORD = "Zqcrashed";
const ORDERS = 45;
const tenantId = randomUUID();

const orders = await ownTestOrders({ replicas: 0 });
const folder = await mkdtemp(path.join(os.tmpdir(), "tradepost-erasure-"));
orders.beforeStop(() => rm(folder, { recursive: true, force: true }));
const failAt = path.join(folder, "fail-at");
const start = async () => {
  await writeFile(failAt, "");
  return await startServiceProcess(path.join(SERVICE, "src/main.ts"), {
    env: {
      ...process.env,
      ...{ ORDERS_DATABASE_URL: orders.serviceUrl, AMQP_URL: orders.amqpUrl, GATEWAY_SECRET: orders.secret },
      ...{ TRADEPOST_FAIL_AT_FILE: failAt, LOG_LEVEL: "warn" },
    },
  });
};
let running = await start();
orders.beforeStop(async () => void (await running.kill("SIGKILL")));
const audit = await captureMessages(orders.amqpUrl, "#", { exchange: "platform.audit" });
orders.beforeStop(audit.stop);

// The steps: the customer, the orders in three steps, the words, the responses.
test.each([1, 3, 5])("after step %p nothing is left out and nothing is done twice", async (step) => {
  const client = signedClient(running.url, orders.secret, { tenantId });
  const { body } = await client.post("/v1/customers", { name: WORD, email: `${WORD}@example.com` });
  const customerId = body.data.id;
  const order = { customerId, items: [{ sku: "A", name: "Mug" }], customerNote: WORD };
  const list = { orders: Array(ORDERS).fill(order) };
  const bulk = await client.post("/v1/orders/bulk", list, { "idempotency-key": customerId });
  expect(bulk.status).toBe(200);
  await writeFile(failAt, `erasure.step-committed:${step}`);
  // The process may die before it responds.
  await client.post(`/v1/customers/${customerId}/erasure`).catch(() => undefined);
  await until("the death", async () =>
    fetch(`${running.url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  await running.kill("SIGKILL");
  running = await start();

  await until("the end of the erasure", async () => {
    const { rows } = await sql`
      select from erasures where customer_id = ${customerId} and finished_at is not null`.execute(orders.db);
    return rows.length === 1;
  });
  expect(await findWords(orders.databaseUrl, [WORD])).toEqual([]);
  const { rows } = await sql`
    select version, count(*)::int as count from orders
     where tenant_id = ${tenantId} and customer_id = ${customerId} group by version`.execute(orders.db);
  expect(rows).toEqual([{ version: 2, count: ORDERS }]);
});
