// A person is erased, and then looked for everywhere: in the four databases, in the queues and in the files (interface §20). A backup that
// brings the person back is noticed, and they are erased again.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { execute, SERVICES } from "@tradepost/devstack";
import { createLogger } from "@tradepost/runtime";
import { findWords, until } from "@tradepost/testing";
import { connect } from "amqplib";
import { messagesIn } from "../support/broker-messages.ts";
import { opsJsonOn, opsOn } from "../support/run-ops.ts";
import { startTestPlatform } from "../support/test-platform.ts";

/** The lines that the services log. */
const lines: string[] = [];

const logger = createLogger("test", "info", (line) => void lines.push(line));
const platform = await startTestPlatform({}, logger);
const receiver = await platform.startReceiver();
const tenant = await platform.createTenant();
afterAll(() => platform.stop());

const query = async (
  service: (typeof SERVICES)[number],
  text: string,
  values: unknown[] = [],
  // biome-ignore lint/suspicious/noExplicitAny: each statement returns another shape
): Promise<any[]> => await execute(platform.databases[service], text, values);

const WORDS = {
  ...{ name: "Qzwendolyn", email: "Qzmailbox", phone: "Qzextension", externalId: "Qzexternal" },
  ...{ metadata: "Qzmetadata", street: "Qzstreet", town: "Qztown", note: "Qznote", internal: "Qzinternal" },
  ...{ gift: "Qzgift", reason: "Qzreason", former: "Qzformer" },
};
const items = [{ sku: "A-1", name: "Mug", quantity: 2, unitPrice: 5 }];
const address = { line1: `1 ${WORDS.street}`, city: WORDS.town, country: "PT", doorbell: WORDS.name };
const orderOf = (customerId: string) => ({
  ...{ customerId, items, shippingAddress: address, billingAddress: { ...address, country: undefined } },
  ...{ customerNote: WORDS.note, internalNote: WORDS.internal, metadata: { gift: WORDS.gift } },
});

/** Uses whatever can hold a word of the person. Returns the customer's id. */
async function live(): Promise<string> {
  const { key, owner } = tenant;
  const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await key.post(path, body, headers);
    if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
    return response.body.data;
  };
  await tenant.subscribe(`${receiver.url}/hook`);
  const person = {
    ...{ name: `Ada ${WORDS.former}`, email: `${WORDS.email}@example.com`, phone: `+1 555 ${WORDS.phone}` },
    ...{ externalId: WORDS.externalId, metadata: { seen: WORDS.metadata } },
  };
  const { id } = await send("/v1/customers", person, { "idempotency-key": "customer" });
  await key.patch(`/v1/customers/${id}`, { name: `Ada ${WORDS.name}` });
  const put = { ...person, name: `Ada ${WORDS.name}`, metadata: { again: WORDS.metadata } };
  await key.put(`/v1/customers/by-external-id/${WORDS.externalId}`, put);
  const placed = await send("/v1/orders", orderOf(id), { "idempotency-key": "order" });
  await send(`/v1/orders/${placed.id}/payments`, { status: "failed" }, { "idempotency-key": "failed" });
  await send(`/v1/orders/${placed.id}/payments`, { status: "succeeded", reference: "pay" });
  const refund = { amount: 1, reason: WORDS.reason, reference: "refund" };
  await send(`/v1/orders/${placed.id}/refund`, refund, { "idempotency-key": "refund" });
  await key.patch(`/v1/orders/${placed.id}`, { customerNote: `again ${WORDS.note}` });
  const other = { customerId: tenant.customerId, items };
  const orders = [orderOf(id), { ...orderOf(id), items: [] }, other];
  const bulk = await send("/v1/orders/bulk", { orders }, { "idempotency-key": "bulk" });
  await send(
    `/v1/orders/${bulk[0].data.id}/cancel`,
    { reason: WORDS.reason },
    { "idempotency-key": "cancel" },
  );
  // A refused request, and reads.
  await key.post("/v1/orders", { ...orderOf(id), currency: WORDS.town });
  await key.post("/v1/customers", { name: WORDS.name, externalId: WORDS.externalId });
  await owner.get(`/v1/customers?search=${WORDS.name}&email=${WORDS.email}@example.com`);
  await key.get(`/v1/orders/export?search=${WORDS.name}&format=csv`);
  await send("/v1/redirects", { from: "/old", to: "/new" });
  return id;
}

/** The tables, queues, files and log lines that have a word of the person. */
async function lookEverywhere(): Promise<string[]> {
  const words = Object.values(WORDS);
  const ofDatabases = await Promise.all(
    SERVICES.map(async (service) =>
      (await findWords(platform.databases[service], words)).map((place) => `${service}: ${place}`),
    ),
  );
  const isOf = (text: string) => words.some((word) => text.toLowerCase().includes(word.toLowerCase()));
  const files = await readdir(platform.mediaDir, { recursive: true, withFileTypes: true });
  const contents = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async (file) => `${file.name} ${await readFile(path.join(file.parentPath, file.name), "latin1")}`),
  );
  return [
    ...ofDatabases.flat(),
    ...(await messages()).filter(isOf).map(() => "a message"),
    ...contents.filter(isOf).map(() => "a file"),
  ];
}

async function messages(): Promise<string[]> {
  const queues: { name: string }[] = await opsJsonOn(platform)("queues");
  const names = queues.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["webhooks.dead", "gateway.audit"]));
  return await messagesIn(platform.broker.amqpUrl, names);
}

const ops = (...words: string[]) => opsOn(platform)(...words);

async function erase(customerId: string): Promise<void> {
  const { status, body } = await tenant.owner.post(`/v1/customers/${customerId}/erasure`, undefined, {
    "idempotency-key": "erasure",
  });
  expect([status, body.data.status]).toEqual([202, "running"]);
  await untilErased(body.data.id);
}

const untilErased = (id: string) =>
  until("the end of the erasure", async () => {
    const { body } = await tenant.owner.get(`/v1/erasures/${id}`);
    return body.data.status === "finished";
  });

describe("an erased person", () => {
  let customerId: string;
  /** The rows of the customer and an order as a backup would bring them back. */
  let backup: { customer: string; order: string };

  beforeAll(async () => {
    customerId = await live();
    const rowsOf = (table: string, column: string) =>
      query("orders", `select row_to_json(t)::text as row from ${table} t where ${column} = $1 limit 1`, [
        customerId,
      ]);
    const [customer] = await rowsOf("customers", "id");
    const [order] = await rowsOf("orders", "customer_id");
    backup = { customer: customer.row, order: order.row };
    await until("the delivery", async () => receiver.received.length === 1);
  });

  /** Makes the row what it was before the erasure. */
  const restore = (table: string, row: string) =>
    query(
      "orders",
      `with kept as (select * from json_populate_record(null::${table}, $1::json))
       update ${table} t set ${table === "customers" ? "name = kept.name, email = kept.email, phone = kept.phone, external_id = kept.external_id, metadata = kept.metadata, erased_at = null, search_text = kept.search_text" : "shipping_address = kept.shipping_address, customer_note = kept.customer_note, metadata = kept.metadata"}
         from kept where t.tenant_id = kept.tenant_id and t.id = kept.id`,
      [row],
    );
  const faults = async () => JSON.parse((await ops("verify", "--json")).stdout).faults;
  const returned = () => [
    { kind: "erased_returned", tenantId: tenant.tenantId, count: 1, ids: [customerId] },
  ];

  test("would be found in a queue and in a file", async () => {
    const file = path.join(platform.mediaDir, "found.txt");
    await writeFile(file, `A letter to ${WORDS.name}`);
    const connection = await connect(platform.broker.amqpUrl);
    const channel = await connection.createConfirmChannel();
    // This queue has no consumer.
    channel.sendToQueue("webhooks.dead", Buffer.from(`A letter to ${WORDS.name}`));
    await channel.waitForConfirms();
    expect(await lookEverywhere()).toEqual(expect.arrayContaining(["a message", "a file"]));
    // The message returns to its queue when the connection that has read it is closed.
    await until("its return", async () => (await channel.purgeQueue("webhooks.dead")).messageCount === 1);
    await connection.close();
    await rm(file);
  });

  test("is found nowhere", async () => {
    const before = await lookEverywhere();
    expect(before.map((place) => place.replace(/ has .*/, ""))).toEqual(
      expect.arrayContaining([
        "orders: public.customers",
        "orders: public.customer_words",
        "orders: public.orders",
        "orders: public.order_changes",
        "orders: public.published_events",
        "orders: public.idempotency_records",
      ]),
    );
    await erase(customerId);
    expect(await lookEverywhere()).toEqual([]);
    const { code, stdout } = await ops("verify", "--json");
    expect([code, JSON.parse(stdout).faults]).toEqual([0, []]);
  });

  test("is in no line of the log, but for the path of a request", () => {
    const words = Object.values(WORDS).map((word) => word.toLowerCase());
    const found = lines.filter((line) => words.some((word) => line.toLowerCase().includes(word)));
    expect(found.filter((line) => !line.includes("/by-external-id/"))).toEqual([]);
  });

  test("has an entry in the audit log, which names nobody", async () => {
    const { body } = await tenant.owner.get("/v1/audit-log?action=customer.erased");
    expect(body.data).toMatchObject([
      { target: { type: "customer", id: customerId }, changes: {}, actor: { type: "user" } },
    ]);
  });

  test("whom a restored table has again is named by verify, although the database still has its list", async () => {
    const [{ erased_at: erasedAt }] = await query("orders", "select erased_at from customers where id = $1", [
      customerId,
    ]);
    await query("orders", "update customers set erased_at = null where id = $1", [customerId]);
    expect(await faults()).toEqual(returned());
    await query("orders", "update customers set erased_at = $2 where id = $1", [customerId, erasedAt]);
    expect(await faults()).toEqual([]);
  });

  test("whom a restored database has again is named by verify, and erased again", async () => {
    await platform.stopOrders();
    await restore("customers", backup.customer);
    await restore("orders", backup.order);
    await query("orders", "delete from erasures");
    await query("orders", "delete from erased_customers");

    expect(await faults()).toEqual(returned());
    const to = new Date().toISOString();
    const { code, stdout, stderr } = await ops("restored", "orders", "--to", to, "--force", "--json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout).erasedAgain).toEqual([{ tenantId: tenant.tenantId, customerId }]);
    expect(await faults()).toEqual([]);

    await platform.startOrders();
    await until("the second erasure", async () => {
      const [erasure] = await query("orders", "select finished_at from erasures");
      return erasure.finished_at !== null;
    });
    expect(await lookEverywhere()).toEqual([]);
    const { body } = await tenant.owner.get(`/v1/customers/${customerId}`);
    expect(body.data).toMatchObject({ name: "Erased customer", erasedAt: expect.any(String) });
  });

  test("stays in both lists if the gateway's database is restored", async () => {
    await query("gateway", "delete from erased_customers");
    const to = new Date().toISOString();
    const restored = await ops("restored", "gateway", "--to", to, "--force", "--json");
    // The gateway of the test is still connected.
    expect(restored.code).toBe(1);
    expect(restored.stderr).toMatch(/gateway service is connected/);
    await platform.stopGateway();
    expect((await ops("restored", "gateway", "--to", to, "--force", "--json")).code).toBe(0);
    expect(await query("gateway", "select from erased_customers")).toHaveLength(1);
  });
});
