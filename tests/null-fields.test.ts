// In the body of every POST, null for an optional field means the same as a missing field (interface §1), at every depth. It
// stays what it is where it is data, and is refused for a required field, in a list, and in a PATCH unless it clears a field.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Route } from "@tradepost/http";
import { expectFailure } from "./support/expect-failure.ts";
import { routeTable } from "./support/route-table.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

/** Optional fields of each POST whose schema cannot be read from the route table. */
const OPTIONAL_BY_HAND: Record<string, readonly string[]> = {
  "POST /v1/orders": [
    ...["currency", "channel", "propertyId", "shippingTotal", "discountTotal", "taxTotal", "shippingAddress"],
    ...["billingAddress", "customerNote", "internalNote", "orderNumber", "externalId", "metadata"],
    ...["quantity", "unitPrice", "taxAmount", "productId", "variantId", "description"].map(
      (name) => `items[0].${name}`,
    ),
  ],
  "POST /v1/orders/bulk": [],
  "POST /v1/entries": ["slug", "locale"],
  "POST /v1/webhooks/listeners/:id/deliveries/:deliveryId/result": [
    ...["responseBody", "durationMs", "outcome"],
  ],
};

describe("null in a body", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
  });
  afterAll(() => platform.stop());

  const posts = routeTable.filter((row) => row.method === "POST" && row.body !== undefined);

  test.each(posts.map((row) => [row.path, row] as const))(
    "counts as missing in each optional field of POST %s",
    async (path, row) => {
      const names = OPTIONAL_BY_HAND[`POST ${path}`] ?? optionalFields(row);
      const target = path.replace(/:\w+/, randomUUID());
      const { status, body } = await tenant.owner.post(target, names.reduce(withNull, {}));
      const faults: string[] = (body.error?.details ?? []).map((fault: { path: string }) => fault.path);
      expect([status < 500, faults.filter((fault) => names.includes(fault))]).toEqual([true, []]);
    },
  );

  test("is the same as a missing field of an order, of its lines, and of the orders of an import", async () => {
    const names = OPTIONAL_BY_HAND["POST /v1/orders"] ?? [];
    const plain = { customerId: tenant.customerId, items: [{ sku: "A", name: "a" }] };
    const order = names.reduce(withNull, structuredClone(plain) as Body);
    const { status, body } = await tenant.key.post("/v1/orders", order);
    expect([status, body.data.currency, body.data.channel, body.data.total]).toEqual([
      201,
      "USD",
      "admin",
      0,
    ]);
    const imported = await tenant.key.post("/v1/orders/bulk", { orders: [order, plain] });
    expect(imported.body.data.map(({ success }: { success: boolean }) => success)).toEqual([true, true]);
  });

  test("is the same as a missing field when a request is repeated with its Idempotency-Key", async () => {
    const key = { "Idempotency-Key": "with and without null".replaceAll(" ", "-") };
    const first = await tenant.key.post("/v1/customers", { name: "Ada", phone: null }, key);
    const repeated = await tenant.key.post("/v1/customers", { name: "Ada" }, key);
    expect([first.status, repeated.status, repeated.body.data.id]).toEqual([201, 201, first.body.data.id]);
  });

  test("is data in metadata, in addresses and in an entry's data", async () => {
    const metadata = { color: null, nested: { size: null } };
    const address = { line1: "1 Main St", city: "Springfield", line2: null };
    const order = await tenant.key.post("/v1/orders", {
      customerId: tenant.customerId,
      items: [{ sku: "A", name: "a" }],
      metadata,
      shippingAddress: address,
    });
    expect(order.status).toBe(201);
    expect(order.body.data).toMatchObject({ metadata, shippingAddress: address });
    await tenant.owner.put("/v1/content-types/note", {
      name: "Note",
      fields: [{ key: "extra", type: "json", required: false }],
    });
    const entry = await tenant.key.post("/v1/entries", {
      type: "note",
      slug: null,
      data: { extra: { size: null } },
    });
    expect([entry.status, entry.body.data.data]).toEqual([201, { extra: { size: null } }]);
  });

  test("of a required field is 422, and so is one in a list or of an unknown field", async () => {
    const bad = { customerId: null, items: [{ sku: "A", name: null }, null], note: null };
    expectFailure(await tenant.key.post("/v1/orders", bad), 422, "validation_error", [
      "customerId",
      "items[0].name",
      "items[1]",
      "note",
    ]);
    const response = await tenant.key.post("/v1/orders/bulk", { orders: [null] });
    expect(response.body.data[0].error.details).toEqual([
      { path: "orders[0]", message: "must be an object" },
    ]);
  });

  test("in a PATCH clears a field that may be empty, and is 422 for others", async () => {
    const { body } = await tenant.key.post("/v1/customers", { name: "Ada", phone: "1" });
    const path = `/v1/customers/${body.data.id}`;
    expectFailure(await tenant.key.patch(path, { name: null }), 422, "validation_error", ["name"]);
    const cleared = await tenant.key.patch(path, { phone: null });
    expect([cleared.status, cleared.body.data.phone ?? null]).toEqual([200, null]);
  });

  test("in 50,000 fields is removed in time proportional to the body", async () => {
    const items = Array.from({ length: 500 }, () => ({
      sku: "A",
      name: "a",
      taxAmount: null,
      variantId: null,
    }));
    const order = { customerId: tenant.customerId, items };
    const { status, body } = await tenant.key.post("/v1/orders/bulk", {
      orders: Array.from({ length: 50 }, () => order),
    });
    expect([status, body.data.every(({ success }: { success: boolean }) => success)]).toEqual([200, true]);
  });
});

type Body = Record<string, unknown>;

/** Sets a field such as `items[0].quantity` to null. */
function withNull(body: Body, path: string): Body {
  const [list, name] = path.split("[0].");
  if (list === undefined || name === undefined) return { ...body, [path]: null };
  const lines = (body[list] as Body[] | undefined) ?? [{}];
  return { ...body, [list]: lines.map((line) => ({ ...line, [name]: null })) };
}

/** The optional fields of a body whose schema is an object. */
function optionalFields({ path, body }: Route): string[] {
  const { shape } = body as unknown as {
    shape?: Record<string, { safeParse(value: undefined): { success: boolean } }>;
  };
  if (shape === undefined) throw new Error(`list the optional fields of POST ${path} by hand`);
  return Object.entries(shape).flatMap(([name, field]) => (field.safeParse(undefined).success ? [name] : []));
}
