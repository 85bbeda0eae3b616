// An order becomes a thin webhook where the operator offers its type, and nothing of its customer reaches the webhooks database
// (interface §24).
import { until } from "@tradepost/testing";
import { dataOf } from "../support/data-of.ts";
import { opsJsonOn } from "../support/run-ops.ts";
import { startTestPlatform } from "../support/test-platform.ts";

const PERSON = "Ottilie Sonderbar";
const SETTINGS = { WEBHOOKS_MORE_EVENTS: "order.placed,order.refunded" };

const platform = await startTestPlatform(SETTINGS);
const receiver = await platform.startReceiver();
const tenant = await platform.createTenant();
const customer = { name: PERSON, email: "ottilie@example.com", phone: "+49 731 5550199" };
const customerId: string = dataOf(await tenant.key.post("/v1/customers", customer), 201).id;
await tenant.subscribe(receiver.url, ["order.placed", "order.refunded"]);
afterAll(() => platform.stop());

const place = async () =>
  dataOf(
    await tenant.key.post("/v1/orders", {
      customerId,
      currency: "EUR",
      customerNote: `For ${PERSON}`,
      shippingAddress: { name: PERSON, line1: "7 Sonderbar Lane", city: "Ulm", country: "DE" },
      items: [{ sku: "A-1", name: "Apron", quantity: 1, unitPrice: 20 }],
    }),
    201,
  );

/** Every row of every table of the webhooks service, as text. */
async function dump(): Promise<string> {
  const pool = platform.pools.webhooks;
  const { rows } = await pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const texts: string[] = [];
  for (const { name } of rows)
    texts.push(...(await pool.query(`select t::text as row from "${name}" t`)).rows.map(({ row }) => row));
  return texts.join("\n");
}

test("an order that is placed and refunded is sent without its customer, and erasure finds nobody there", async () => {
  const order = await place();
  await tenant.key.post(`/v1/orders/${order.id}/payments`, { status: "succeeded", reference: PERSON });
  await tenant.key.post(`/v1/orders/${order.id}/refund`, { reason: `${PERSON} moved away` });
  const received = await until("both", () => receiver.received.length === 2 && receiver.received);
  const bodies = received.map(({ body }) => JSON.parse(body.toString()));
  const { id, orderNumber, channel, status } = order;
  expect(bodies.map(({ data }) => data)).toEqual([
    { order: { id, orderNumber, channel, status, paymentStatus: "unpaid", fulfillment: "none", version: 1 } },
    {
      order: { id, orderNumber, channel, status, paymentStatus: "refunded", fulfillment: "none", version: 3 },
    },
  ]);
  const searched = await dump();
  expect(searched).toContain(id);
  for (const text of ["Sonderbar", "ottilie@", "5550199"]) expect(searched).not.toContain(text);
  await tenant.owner.post(`/v1/customers/${customerId}/erasure`);
  expect(await opsJsonOn(platform)("verify")).toMatchObject({ faults: [] });
});
