// Creating, reading, changing and listing customers.

import { randomUUID } from "node:crypto";
import { invalidFields, readPages } from "@tradepost/testing";
import { sharedTestOrders, type TestShop } from "./support/test-orders.ts";

const WHOLE = {
  name: "Grace Hopper",
  email: "grace@navy.example",
  phone: "+1 555 0100",
  externalId: "crm-1",
  metadata: { tier: "gold", nested: { since: 1952 } },
};

const orders = await sharedTestOrders();
const shop = await orders.openShop();

describe("customers", () => {
  test("creates a customer, responds with its Location and every supplied field, and reads the same again", async () => {
    const { status, body, headers } = await shop.client.post("/v1/customers", WHOLE);
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/v1/customers/${body.data.id}`);
    expect(body).toEqual({
      success: true,
      data: {
        ...WHOLE,
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

describe("a customer that changes", () => {
  let shop: TestShop;
  const create = async (body: object = WHOLE) => {
    shop = await orders.openShop();
    return (await shop.client.post("/v1/customers", body)).body.data;
  };
  const change = (id: string, body: unknown) => shop.client.patch(`/v1/customers/${id}`, body);

  test("gets a later updatedAt with each change, also if the database's clock was set back", async () => {
    const { id } = await create();
    const ahead = new Date(Date.now() + 3_600_000);
    await orders.db.updateTable("customers").set({ updated_at: ahead }).where("id", "=", id).execute();
    const { data } = (await change(id, { name: "Grace" })).body;
    expect(Date.parse(data.updatedAt)).toBeGreaterThan(ahead.getTime());
  });

  test.each<[string, unknown]>([
    ["name", "Grace B. M. Hopper"],
    ["email", "rear.admiral@navy.example"],
    ["phone", "+1 555 0199"],
    ["externalId", "crm-2"],
    ["metadata", { tier: "platinum" }],
    ...["email", "phone", "externalId", "metadata"].map((field): [string, null] => [field, null]),
  ])("changes only its %s to %j, and has none where it is null", async (field, value) => {
    const { [field]: _, ...before } = await create();
    const { status, body } = await change(before.id, { [field]: value });
    const changed = value === null ? {} : { [field]: value };
    const data = { ...before, ...changed, version: 2, updatedAt: expect.any(String) };
    expect([status, body]).toEqual([200, { success: true, data }]);
    expect(body.data.updatedAt >= before.updatedAt).toBe(true);
    expect((await shop.client.get(`/v1/customers/${before.id}`)).body).toEqual(body);
  });

  test("changes several fields at once, and nothing with an empty body", async () => {
    const before = await create();
    const unchanged = await change(before.id, {});
    expect([unchanged.status, unchanged.body.data]).toEqual([200, before]);
    const { body } = await change(before.id.toUpperCase(), { name: "G", email: null, externalId: "crm-1" });
    const { email: _, ...rest } = before;
    expect(body.data).toEqual({ ...rest, name: "G", version: 2, updatedAt: expect.any(String) });
    const repeated = await change(before.id, { name: "G", email: null, metadata: WHOLE.metadata });
    expect([repeated.body, repeated.headers.get("etag")]).toEqual([body, '"2"']);
  });

  test("merges a JSON merge patch into its metadata", async () => {
    const { id } = await create();
    const patch = { phone: null, metadata: { vip: true, nested: { since: null } } };
    const type = { "content-type": "application/merge-patch+json" };
    const { body } = await shop.client.patch(`/v1/customers/${id}`, patch, type);
    expect(body.data.metadata).toEqual({ tier: "gold", nested: {}, vip: true });
    expect(body.data).not.toHaveProperty("phone");
  });

  test.each([
    ["read-only fields", { id: randomUUID(), createdAt: "now" }, "createdAt id"],
    ["a name of null", { name: null }, "name"],
    ["several faults", { email: 1, phone: "", externalId: 9, x: 0 }, "email externalId phone x"],
  ])("refuses %s with 422, lists every field at fault, and changes nothing", async (_what, body, fields) => {
    const before = await create();
    expect(invalidFields(await change(before.id, body))).toBe(fields);
    expect((await shop.client.get(`/v1/customers/${before.id}`)).body.data).toEqual(before);
  });

  test("cannot take another customer's externalId, not even at the same moment, until that one gives it up", async () => {
    const first = await create();
    const others = ["crm-2", "crm-3", "crm-4"].map((externalId) =>
      shop.client.post("/v1/customers", { name: "G", externalId }),
    );
    const ids = (await Promise.all(others)).map(({ body }) => body.data.id as string);
    for (const id of ids) {
      const { status, body } = await change(id, { externalId: "crm-1", name: "Changed" });
      expect([status, body.error.code, body.error.customerId]).toEqual([409, "conflict", first.id]);
      expect((await shop.client.get(`/v1/customers/${id}`)).body.data.name).toBe("G");
    }
    await change(first.id, { externalId: null });
    const responses = await Promise.all(ids.map((id) => change(id, { externalId: "crm-1" })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test("is found by exactly its externalId, and only in its tenant", async () => {
    const { id } = await create({ ...WHOLE, externalId: "a b+c/é&d" });
    const found = async (externalId: string) => {
      const query = new URLSearchParams({ externalId });
      const { status, body } = await shop.client.get(`/v1/customers?${query}`);
      expect([status, body.page]).toEqual([200, { nextCursor: null }]);
      return body.data.map((customer: { id: string }) => customer.id);
    };
    expect(await found("a b+c/é&d")).toEqual([id]);
    for (const other of ["a b+c/é&", "A B+C/É&D", "%", "null"]) expect(await found(other)).toEqual([]);
    await create({ name: "A stranger's", externalId: "another" });
    expect(await found("a b+c/é&d")).toEqual([]);
    expect((await shop.client.get("/v1/customers?externalId=%00")).status).toBe(422);
  });

  test("has a version, of which one of several changes at the same moment is made", async () => {
    const { id } = await create();
    const patch = (name: string) => shop.client.patch(`/v1/customers/${id}`, { name }, { "if-match": '"1"' });
    const twins = await Promise.all(["D", "E", "F"].map(patch));
    expect(twins.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  test("loses no change of several at the same moment", async () => {
    const { id } = await create({ name: "G" });
    const fields = { email: "g@example.com", phone: "1", metadata: { a: 1 }, externalId: "g" };
    await Promise.all(Object.entries(fields).map(([name, value]) => change(id, { [name]: value })));
    const { body } = await shop.client.get(`/v1/customers/${id}`);
    expect(body.data).toMatchObject({ ...fields, version: 5 });
  });
});
