// A shop sells mugs: customers, orders from the first payment to a refund, an import, and an ERP that reads them.
import { until } from "@tradepost/testing";
import type { Call, Callers } from "./recorder.ts";

const MUG = {
  sku: "MUG-BLUE",
  name: "Mug, blue",
  quantity: 3,
  unitPrice: 19.99,
  taxAmount: 6,
  taxLines: [{ name: "VAT", rate: 10, amount: 6 }],
};
const MINUTE_MS = 60_000;
const ADDRESS = { line1: "1 Harbour Street", city: "Lisbon", postalCode: "1100-148", country: "PT" };

export async function ordersStory({ owner, key }: Callers): Promise<void> {
  const customerId = await customersStory(key);
  const place = (more: object = {}, headers: Record<string, string> = {}) =>
    key("placeOrder", { headers, body: { customerId, items: [MUG], ...more } });
  const { data: order } = await place(
    {
      currency: "USD",
      channel: "storefront",
      externalId: "web-5012",
      shippingTotal: 4.5,
      expectedTotal: 70.47,
      shippingAddress: ADDRESS,
      customerNote: "Please ring twice.",
      metadata: { basket: "b-77" },
    },
    { "idempotency-key": "web-5012" },
  );
  const params = { id: order.id };
  await key("recordPayment", {
    params,
    headers: { "idempotency-key": "ch_1", "if-match": '"1"' },
    body: { status: "succeeded", amount: 70.47, reference: "ch_1" },
  });
  await key("updateOrder", { params, body: { internalNote: "Wrap it as a gift." } });
  const lines = [{ lineId: order.items[0].id, quantity: 1 }];
  const { data: shipped } = await key("fulfillOrder", {
    params,
    body: { lines, trackingNumber: "1Z999", carrier: "UPS" },
  });
  await key("updateShipment", {
    params: { ...params, shipmentId: shipped.shipments[0].id },
    body: { trackingNumber: "1Z998" },
  });
  await key("fulfillOrder", { params, body: { trackingNumber: "1Z997", carrier: "UPS" } });
  await key("deliverOrder", { params, body: {} });
  await key("refundOrder", {
    params,
    headers: { "idempotency-key": "re_1" },
    body: { lines, reason: "One mug was broken.", reference: "re_1" },
  });
  const { data: second } = await place();
  await key("cancelOrder", { params: { id: second.id }, body: { reason: "Out of stock." } });
  await key("importOrders", {
    body: {
      orders: [
        { customerId, items: [MUG], channel: "import", orderNumber: "OLD-17" },
        { customerId, items: [MUG], channel: "import", orderNumber: "1001" },
      ],
    },
  });
  await key("getOrder", { params });
  const now = new Date();
  await key("getOrderStatistics", {
    query: {
      from: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString(),
      to: new Date(now.getTime() + MINUTE_MS).toISOString(),
      by: "month",
    },
  });
  await key("exportOrders", { query: { format: "csv", search: "ada 1001" } });
  await key("listOrders", { query: { status: "delivered,cancelled", search: "lovelace", limit: "1" } });
  await key("getOrderTimeline", { params });
  await key("listPayments", { params });
  await key("listOrderEvents", {
    query: { types: "order.placed,order.refunded", limit: "2", waitSeconds: "20" },
  });
  await erasureStory({ owner, key });
}

/** Somebody asks the shop to forget them. */
async function erasureStory({ owner, key }: Pick<Callers, "owner" | "key">): Promise<void> {
  const { data: customer } = await key("createCustomer", { body: { name: "Mary Somerville" } });
  const erasing = { params: { id: customer.id } };
  const { data: erasure } = await owner("eraseCustomer", erasing);
  // The first success of an operation is its example.
  await until("the end of the erasure", async () => {
    const { data } = await owner("eraseCustomer", erasing);
    return data.status === "finished";
  });
  await key("getErasure", { params: { id: erasure.id } });
}

async function customersStory(key: Call): Promise<string> {
  const { data: customer } = await key("createCustomer", {
    headers: { "idempotency-key": "crm-c-204" },
    body: {
      name: "Ada Lovelace",
      email: "ada@example.com",
      phone: "+351 210 000 000",
      externalId: "c-204",
      metadata: { segment: "retail" },
    },
  });
  const params = { id: customer.id };
  await key("getCustomer", { params });
  await key("updateCustomer", { params, body: { phone: null } });
  await key("putCustomerByExternalId", {
    params: { externalId: "c-205" },
    body: { name: "Charles Babbage", email: "charles@example.com" },
  });
  await key("exportCustomers", { query: { format: "ndjson" } });
  await key("listCustomers", { query: { search: "ada love" } });
  await key("listCustomerEvents", { query: { types: "customer.created", limit: "1", waitSeconds: "20" } });
  return customer.id;
}
