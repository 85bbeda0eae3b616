// Customers over HTTP: made, read and listed by their tenant alone, on pages that stay put while new ones arrive.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startTestOrders, type TestOrders, type TestShop } from "./support/test-orders.ts";

describe("customers", () => {
  let orders: TestOrders;
  let shop: TestShop;
  beforeAll(async () => {
    orders = await startTestOrders();
    shop = await orders.openShop();
  });
  afterAll(() => orders.stop());

  test("a new customer is answered with its Location, shows what was supplied, and reads the same", async () => {
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
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect((await shop.client.get(`/v1/customers/${body.data.id}`)).body).toEqual(body);
    const bare = await shop.client.post("/v1/customers", { name: "Bare" });
    expect(Object.keys(bare.body.data).sort()).toEqual(["createdAt", "id", "name"]);
  });

  test("metadata comes back verbatim, to the last digit", async () => {
    const metadata = '{"z":1,"big":12345678901234567890,"price":0.10000000000000000001,"a":[{"b":-1e999}]}';
    const { text, body } = await shop.client.send("POST", "/v1/customers", {
      headers: { "content-type": "application/json" },
      body: `{"name":"Digits","metadata":${metadata}}`,
    });
    expect(text).toContain(`"metadata":${metadata}`);
    expect((await shop.client.get(`/v1/customers/${body.data.id}`)).text).toContain(`"metadata":${metadata}`);
  });

  test("an externalId belongs to one customer of a tenant, at once too, and another tenant may use it", async () => {
    const body = { name: "Twin", externalId: "twin" };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => shop.client.post("/v1/customers", body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(5).fill(409)]);
    for (const { status, body } of answers) if (status === 409) expect(body.error.code).toBe("conflict");
    const stranger = await orders.openShop();
    expect((await stranger.client.post("/v1/customers", body)).status).toBe(201);
  });

  test("another tenant's customer looks like one that does not exist, and so does an id that is no UUID", async () => {
    const stranger = await orders.openShop();
    for (const id of [shop.customerId, randomUUID(), "1", "%00"]) {
      const { status, body } = await stranger.client.get(`/v1/customers/${id}`);
      expect([status, body.error.code]).toEqual([404, "not_found"]);
    }
    const { body } = await stranger.client.get("/v1/customers");
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([stranger.customerId]);
  });

  test.each([
    ["no name", { name: undefined }, ["name"]],
    ["a blank name", { name: " " }, ["name"]],
    ["an e-mail that is none", { email: "grace" }, ["email"]],
    ["metadata that is a list", { metadata: [1] }, ["metadata"]],
    ["an externalId that is a number", { externalId: 9 }, ["externalId"]],
    ["a NUL character", { name: "a\u0000b" }, ["name"]],
    ["several faults", { name: 1, phone: "", tenantId: "x" }, ["name", "phone", "tenantId"]],
  ])("refuses %s with 422, naming every field", async (_what, differing, paths) => {
    const { status, body } = await shop.client.post("/v1/customers", { name: "Ok", ...differing });
    expect([status, body.error.code]).toEqual([422, "validation_error"]);
    expect(body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
  });

  describe("in a list", () => {
    const walk = async (client: TestShop["client"], limit: number, between: () => Promise<unknown>) => {
      const pages: { id: string; createdAt: string }[][] = [];
      let cursor: string | null = null;
      do {
        const after: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const { status, body } = await client.get(`/v1/customers?limit=${limit}${after}`);
        expect(status).toBe(200);
        pages.push(body.data);
        cursor = body.page.nextCursor;
        await between();
      } while (cursor !== null);
      return pages;
    };
    const add = async ({ client }: TestShop) =>
      (await client.post("/v1/customers", { name: "Listed" })).body.data.id as string;

    test("newest first, whole, once each, while new ones arrive", async () => {
      const full = await orders.openShop();
      // At once, so that several have one and the same millisecond.
      const ids = [full.customerId, ...(await Promise.all(Array.from({ length: 10 }, () => add(full))))];
      const pages = await walk(full.client, 3, () => add(full));
      expect(pages.map((page) => page.length)).toEqual([3, 3, 3, 2]);
      const seen = pages.flat();
      expect(seen.map(({ id }) => id).sort()).toEqual(ids.sort());
      const keys = seen.map(({ createdAt, id }) => `${createdAt} ${id}`);
      expect(keys).toEqual([...keys].sort().reverse());
    });

    test("a last page that is full has no next one, and 25 is the default", async () => {
      const full = await orders.openShop();
      await Promise.all(Array.from({ length: 25 }, () => add(full)));
      expect((await walk(full.client, 13, async () => undefined)).map((page) => page.length)).toEqual([
        13, 13,
      ]);
      const { body } = await full.client.get("/v1/customers");
      expect(body.data).toHaveLength(25);
      expect(body.page).toEqual({ nextCursor: expect.any(String) });
      expect((await full.client.get("/v1/customers?limit=100")).body.page).toEqual({ nextCursor: null });
    });

    test.each([
      ["limit=0", ["limit"]],
      ["limit=101", ["limit"]],
      ["limit=abc", ["limit"]],
      ["limit=-1", ["limit"]],
      ["limit=1.5", ["limit"]],
      ["limit=", ["limit"]],
      ["limit=5&limit=6", ["limit"]],
      ["cursor=abc", ["cursor"]],
      ["cursor=", ["cursor"]],
      [
        `cursor=${Buffer.from(`-271821-04-20T00:00:00.000Z ${randomUUID()}`).toString("base64url")}`,
        ["cursor"],
      ],
      [`cursor=${Buffer.from("2026-01-01 x").toString("base64url")}`, ["cursor"]],
      [`cursor=${Buffer.from(`2026-01-01T00:00:00.000Z ' or 1=1`).toString("base64url")}`, ["cursor"]],
      ["sort=name", ["sort"]],
      ["limit=0&cursor=x&page=2", ["cursor", "limit", "page"]],
    ])("?%s is 422", async (query, paths) => {
      const { status, body } = await shop.client.get(`/v1/customers?${query}`);
      expect([status, body.error.code]).toEqual([422, "validation_error"]);
      expect(body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
    });
  });
});
