// A shop sells mugs: customers, orders from the first payment to a refund, an import, and an ERP that reads them.
import { until } from "@tradepost/testing";
import type { Credentials } from "./identity-story.ts";
import type { Call } from "./recorder.ts";

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

export async function ordersStory(call: Call, { apiKey: token, ownerToken }: Credentials): Promise<void> {
  const customerId = await customersStory(call, token);
  const place = (more: object = {}, headers: Record<string, string> = {}) =>
    call("placeOrder", { token, headers, body: { customerId, items: [MUG], ...more } });
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
  await call("recordPayment", {
    token,
    params,
    headers: { "idempotency-key": "ch_1", "if-match": '"1"' },
    body: { status: "succeeded", amount: 70.47, reference: "ch_1" },
  });
  await call("updateOrder", { token, params, body: { internalNote: "Wrap it as a gift." } });
  const lines = [{ lineId: order.items[0].id, quantity: 1 }];
  const { data: shipped } = await call("fulfillOrder", {
    token,
    params,
    body: { lines, trackingNumber: "1Z999", carrier: "UPS" },
  });
  await call("updateShipment", {
    token,
    params: { ...params, shipmentId: shipped.shipments[0].id },
    body: { trackingNumber: "1Z998" },
  });
  await call("fulfillOrder", { token, params, body: { trackingNumber: "1Z997", carrier: "UPS" } });
  await call("deliverOrder", { token, params, body: {} });
  await call("refundOrder", {
    token,
    params,
    headers: { "idempotency-key": "re_1" },
    body: { lines, reason: "One mug was broken.", reference: "re_1" },
  });
  const { data: second } = await place();
  await call("cancelOrder", { token, params: { id: second.id }, body: { reason: "Out of stock." } });
  await call("importOrders", {
    token,
    body: {
      orders: [
        { customerId, items: [MUG], channel: "import", orderNumber: "OLD-17" },
        { customerId, items: [MUG], channel: "import", orderNumber: "1001" },
      ],
    },
  });
  await call("getOrder", { token, params });
  const now = new Date();
  await call("getOrderStatistics", {
    token,
    query: {
      from: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString(),
      to: new Date(now.getTime() + MINUTE_MS).toISOString(),
      by: "month",
    },
  });
  await call("exportOrders", { token, query: { format: "csv", search: "ada 1001" } });
  await call("listOrders", {
    token,
    query: { status: "delivered,cancelled", search: "lovelace", limit: "1" },
  });
  await call("getOrderTimeline", { token, params });
  await call("listPayments", { token, params });
  await call("listOrderEvents", {
    token,
    query: { types: "order.placed,order.refunded", limit: "2", waitSeconds: "20" },
  });
  await erasureStory(call, token, ownerToken);
}

/** Somebody asks the shop to forget them. */
async function erasureStory(call: Call, token: string, ownerToken: string): Promise<void> {
  const { data: customer } = await call("createCustomer", { token, body: { name: "Mary Somerville" } });
  const erasing = { token: ownerToken, params: { id: customer.id } };
  const { data: erasure } = await call("eraseCustomer", erasing);
  // The first success of an operation is its example.
  await until("the end of the erasure", async () => {
    const { data } = await call("eraseCustomer", erasing);
    return data.status === "finished";
  });
  await call("getErasure", { token, params: { id: erasure.id } });
}

async function customersStory(call: Call, token: string): Promise<string> {
  const { data: customer } = await call("createCustomer", {
    token,
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
  await call("getCustomer", { token, params });
  await call("updateCustomer", { token, params, body: { phone: null } });
  await call("putCustomerByExternalId", {
    token,
    params: { externalId: "c-205" },
    body: { name: "Charles Babbage", email: "charles@example.com" },
  });
  await call("exportCustomers", { token, query: { format: "ndjson" } });
  await call("listCustomers", { token, query: { search: "ada love" } });
  await call("listCustomerEvents", {
    token,
    query: { types: "customer.created", limit: "1", waitSeconds: "20" },
  });
  return customer.id;
}
