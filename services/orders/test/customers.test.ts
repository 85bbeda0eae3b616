// Creating, reading and listing customers.

import { randomUUID } from "node:crypto";
import { invalidFields, readPages } from "@tradepost/testing";
import { sharedTestOrders, type TestShop } from "./support/test-orders.ts";

const orders = await sharedTestOrders();
const shop = await orders.openShop();

describe("customers", () => {
  test("creates a customer, responds with its Location and every supplied field, and reads the same again", async () => {
    const supplied = {
      name: "Grace Hopper",
      email: "grace@navy.example",
      phone: "+1 555 0100",
      externalId: "crm-9",
      metadata: { tier: "gold", since: { year: 1952 } },
    };
    const { status, body, headers } = await shop.client.post("/v1/customers", supplied);
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/v1/customers/${body.data.id}`);
    expect(body).toEqual({
      success: true,
      data: {
        ...supplied,
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        version: 1,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: body.data.createdAt,
      },
    });
    const read = await shop.client.get(`/v1/customers/${body.data.id}`);
    expect([read.body, read.headers.get("etag"), headers.get("etag")]).toEqual([body, '"1"', '"1"']);
    const bare = await shop.client.post("/v1/customers", { name: "Bare" });
    expect(Object.keys(bare.body.data).sort()).toEqual(["createdAt", "id", "name", "updatedAt", "version"]);
  });

  test("accepts an externalId once per tenant, also at the same moment, and again in another tenant", async () => {
    const body = { name: "Twin", externalId: "twin" };
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => shop.client.post("/v1/customers", body)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(5).fill(409)]);
    const customerId = responses.find(({ status }) => status === 201)?.body.data.id;
    for (const { status, body } of responses) {
      if (status === 409) expect(body.error).toMatchObject({ code: "conflict", customerId });
    }
    const stranger = await orders.openShop();
    expect((await stranger.client.post("/v1/customers", body)).status).toBe(201);
  });

  test.each([
    ["no name", { name: undefined }, "name"],
    ["a blank name", { name: " " }, "name"],
    ["an invalid e-mail", { email: "grace" }, "email"],
    ["metadata that is a list", { metadata: [1] }, "metadata"],
    ["an externalId that is a number", { externalId: 9 }, "externalId"],
    ["a NUL character", { name: "a\u0000b" }, "name"],
    [
      "control characters",
      { name: "\u001b[2J", phone: "1\n2", externalId: "a\u009f" },
      "externalId name phone",
    ],
    ["several faults", { name: 1, phone: "", tenantId: "x" }, "name phone tenantId"],
  ])("refuses %s with 422 and lists every field at fault", async (_what, fields, invalid) => {
    expect(invalidFields(await shop.client.post("/v1/customers", { name: "Ok", ...fields }))).toBe(invalid);
  });

  describe("listing customers", () => {
    const add = async ({ client }: TestShop) =>
      (await client.post("/v1/customers", { name: "Listed" })).body.data.id as string;

    test("has no next page after a full last page, and 25 items by default", async () => {
      const full = await orders.openShop();
      await Promise.all(Array.from({ length: 25 }, () => add(full)));
      const pages = await readPages(full.client, "/v1/customers?limit=13");
      expect(pages.map((page) => page.length)).toEqual([13, 13]);
      const { body } = await full.client.get("/v1/customers");
      expect(body.data).toHaveLength(25);
      expect(body.page).toEqual({ nextCursor: expect.any(String) });
      expect((await full.client.get("/v1/customers?limit=100")).body.page).toEqual({ nextCursor: null });
    });

    test("filters by e-mail in any case, ids, and the time of the latest change", async () => {
      const full = await orders.openShop();
      const all = [];
      for (const email of ["ada@example.com", "Ada@Example.com", "bob@example.com"]) {
        all.unshift((await full.client.post("/v1/customers", { name: "A", email })).body.data);
      }
      const [bob, ada2, ada1] = all;
      const changed = (await full.client.patch(`/v1/customers/${ada1.id}`, { phone: "1" })).body.data;
      const list = async (query: Record<string, string>, client = full.client) => {
        const { status, body } = await client.get(`/v1/customers?${new URLSearchParams(query)}`);
        expect([status, body.error]).toEqual([200, undefined]);
        return body.data;
      };
      expect(await list({ email: "ADA@example.com" })).toEqual([ada2, changed]);
      expect(await list({ email: "ada" })).toEqual([]);
      expect(await list({ email: "' or 1=1" })).toEqual([]);
      const ids = `${bob.id.toUpperCase()},${randomUUID()},${ada1.id}`;
      expect(await list({ ids })).toEqual([bob, changed]);
      expect(await list({ ids: bob.id }, shop.client)).toEqual([]);
      expect(await list({ updatedAfter: changed.updatedAt })).toEqual([changed]);
      const before = await list({ updatedBefore: changed.updatedAt });
      expect(before.map(({ id }: { id: string }) => id)).toEqual([bob.id, ada2.id, full.customerId]);
      const all3 = { updatedAfter: ada2.updatedAt, email: "ada@example.com", ids: ada2.id };
      expect(await list(all3)).toEqual([ada2]);
    });
  });
});
