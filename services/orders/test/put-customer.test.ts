// PUT /v1/customers/by-external-id/{externalId}: creates a customer or gives it new values.

import { type ClientResponse, faultPaths, invalidFields } from "@tradepost/testing";
import fc from "fast-check";
import { ownTestOrders } from "./support/test-orders.ts";

const WHOLE = { name: "Ada", email: "ada@example.com", phone: "1", metadata: { tier: "gold" } };

const orders = await ownTestOrders({ replicas: 2 });
const shop = await orders.openShop();

describe("a customer by its externalId", () => {
  const put = (externalId: string, body: unknown, headers?: Record<string, string>, client = shop.client) =>
    client.put(`/v1/customers/by-external-id/${encodeURIComponent(externalId)}`, body, headers);
  const headOf = ({ status, headers }: ClientResponse) => [
    status,
    headers.get("location"),
    headers.get("etag"),
  ];

  test("is created with 201, Location and ETag, and updated with 200", async () => {
    const created = await put("erp-1", WHOLE);
    const { id, createdAt } = created.body.data;
    expect(headOf(created)).toEqual([201, `/v1/customers/${id}`, '"1"']);
    const whole = { ...WHOLE, id, externalId: "erp-1", version: 1, createdAt, updatedAt: createdAt };
    expect(created.body.data).toEqual(whole);
    const updated = await put("erp-1", { ...WHOLE, name: "Ada L." });
    expect(headOf(updated)).toEqual([200, null, '"2"']);
    const changed = { name: "Ada L.", version: 2, updatedAt: expect.any(String) };
    expect(updated.body.data).toEqual({ ...whole, ...changed });
    expect((await shop.client.get(`/v1/customers/${id}`)).body).toEqual(updated.body);
  });

  test("has no value where the body has none, or null", async () => {
    await put("erp-2", WHOLE);
    const { status, body } = await put("erp-2", { name: "Ada", phone: null, externalId: "erp-2" });
    expect(status).toBe(200);
    const fields = ["createdAt", "externalId", "id", "name", "updatedAt", "version"];
    expect(Object.keys(body.data).sort()).toEqual(fields);
  });

  test("keeps its version if the body has the values that it has", async () => {
    const { body } = await put("erp-3", WHOLE);
    const again = await put("erp-3", WHOLE);
    expect([again.status, again.body]).toEqual([200, body]);
  });

  test("is the customer that POST and PATCH gave the externalId", async () => {
    const { body } = await shop.client.post("/v1/customers", { name: "Ada", externalId: "erp-4" });
    expect((await put("erp-4", { name: "B" })).body.data).toMatchObject({ id: body.data.id, version: 2 });
    await shop.client.patch(`/v1/customers/${body.data.id}`, { externalId: "erp-5" });
    expect((await put("erp-4", { name: "C" })).status).toBe(201);
    expect((await put("erp-5", { name: "D" })).body.data.id).toBe(body.data.id);
  });

  test("is created once by many at the same moment on two replicas", async () => {
    const fresh = await orders.openShop();
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        put("race", { name: `N${index}` }, {}, fresh.clientAt(orders.urls[index % 2] ?? "")),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 201]);
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    expect(new Set(responses.map(({ body }) => body.data.version)).size).toBe(12);
    expect(await fresh.count("customers")).toBe(2);
  });

  test("honours If-Match, and is not created by a request that asks for a version", async () => {
    for (const tag of ['"1"', "*"]) {
      const { status, body } = await put("unborn", { name: "A" }, { "if-match": tag });
      expect([status, body.error.code]).toEqual([412, "version_mismatch"]);
    }
    await put("unborn", { name: "A" });
    expect((await put("unborn", { name: "B" }, { "if-match": '"1"' })).body.data.version).toBe(2);
    const { status, headers } = await put("unborn", { name: "C" }, { "if-match": '"1"' });
    expect([status, headers.get("etag")]).toEqual([412, '"2"']);
  });

  test("may have any text as its externalId", async () => {
    const typed = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
      // Clients resolve these in a URL before they send it.
      .filter((text) => text.trim() !== "" && !/^\.{1,2}$/.test(text) && !text.includes("\0"));
    const special = "a/b|a%2Fb|100%|?q=1#x|a+b c|..%2f|é漢😀|%zz|:externalId|null|a\\b".split("|");
    await fc.assert(
      fc.asyncProperty(typed, async (externalId) => {
        const { status, body } = await put(externalId, { name: "Any" });
        expect([[200, 201].includes(status), body.data?.externalId]).toEqual([true, externalId]);
        const found = await shop.client.get(`/v1/customers?${new URLSearchParams({ externalId })}`);
        expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([body.data.id]);
      }),
      { numRuns: 60, examples: special.map((text) => [text] as [string]) },
    );
  });

  test.each([
    ["an empty body", {}, "name"],
    ["a null name", { name: null }, "name"],
    ["another externalId", { name: "A", externalId: "other" }, "externalId"],
    ["several faults", { name: "", email: "x", metadata: [] }, "email metadata name"],
  ])("refuses %s with 422", async (_what, body, fields) => {
    expect(invalidFields(await put("refused", body))).toBe(fields);
  });

  test.each([
    ["too long", encodeURIComponent("x".repeat(256)), 422],
    ["blank", "%20", 422],
    ["with a NUL", "a%00", 422],
    ["not UTF-8", "%ff", 404],
    ["badly encoded", "%zz", 404],
  ])("refuses one in the path that is %s", async (_what, inPath, expected) => {
    const { status, body } = await shop.client.put(`/v1/customers/by-external-id/${inPath}`, { name: "A" });
    expect(status).toBe(expected);
    if (expected === 422) expect(body.error.details).toMatchObject([{ path: "externalId" }]);
  });

  test("names the faults of the path and of the body in one response", async () => {
    const { status, body } = await put("x".repeat(256), { name: 7, externalId: "another", nick: "A" });
    expect([status, [...new Set(faultPaths({ body }))]]).toEqual([422, ["externalId", "name", "nick"]]);
    expect((await put("refused", null)).body.error.details).toMatchObject([{ path: "body" }]);
  });
});
