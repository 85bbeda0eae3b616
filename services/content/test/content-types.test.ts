// Creating, changing and reading content types. A request that changes nothing writes no event; a refusal names every fault.

import { invalidFields, readPages } from "@tradepost/testing";
import { ARTICLE, faults, putType } from "./support/editing.ts";
import { sharedTestContent } from "./support/test-content.ts";

const content = await sharedTestContent();

describe("a content type", () => {
  test("is created, stays as it is after the same request, and gets a new version when it changes", async () => {
    const tenant = content.newTenant();
    const path = "/v1/content-types/article";
    const created = await tenant.put(path, { name: "Article", fields: ARTICLE });
    expect([created.status, created.headers.get("location")]).toEqual([201, path]);
    expect(created.body.data).toEqual({ slug: "article", name: "Article", fields: ARTICLE, version: 1 });
    const [title, { key, type }] = ARTICLE as [object, { key: string; type: string }];
    const same = await tenant.put(path, { fields: [title, { type, key }], name: "Article" });
    expect([same.status, same.body.data]).toEqual([200, created.body.data]);
    const changed = await tenant.put(path, { name: "Story", fields: ARTICLE });
    const data = { ...created.body.data, name: "Story", version: 2 };
    expect([changed.status, changed.body.data]).toEqual([200, data]);
    expect((await tenant.get(path)).body.data).toEqual(changed.body.data);
    const events = await content.events(tenant.tenantId);
    expect(events.map(({ type, data }) => [type, data])).toEqual(
      [created, changed].map(({ body }) => ["content_type.upserted", { contentType: body.data }]),
    );
  });

  test("has an audit entry for each change", async () => {
    const tenant = content.newTenant();
    const path = "/v1/content-types/article";
    const fields = ARTICLE;
    await tenant.put(path, { name: "Article", fields: [] });
    await tenant.put(path, { name: "Article", fields });
    await tenant.put(path, { name: "Article", fields });
    await tenant.put(path, { name: "Story", fields });
    const entries = await content.auditEntries(tenant.tenantId);
    const target = { type: "content_type", id: "article" };
    expect(entries.map(({ type, data }) => [type, data])).toEqual([
      ["audit.content_type.updated", { target, changes: { name: "Article", fields: [] } }],
      ["audit.content_type.updated", { target, changes: { fields: { from: [], to: fields } } }],
      ["audit.content_type.updated", { target, changes: { name: { from: "Article", to: "Story" } } }],
    ]);
  });

  test("may have 0 to 100 fields", async () => {
    const tenant = content.newTenant();
    const fields = Array.from({ length: 101 }, (_, index) => ({ key: `f${index}`, type: "json" }));
    await putType(tenant, "empty", []);
    expect((await putType(tenant, "wide", fields.slice(1))).fields.length).toBe(100);
    const refused = await tenant.put("/v1/content-types/wider", { name: "Wider", fields });
    expect(faults(refused)).toEqual({ fields: "must contain at most 100 fields" });
  });

  test("is refused with every fault at once", async () => {
    const tenant = content.newTenant();
    const refused = await tenant.put("/v1/content-types/No_Slug", {
      name: " ",
      colour: "red",
      fields: [
        { key: "title", type: "text" },
        { key: "1st", type: "text" },
        { key: "price", type: "money" },
        { key: "title", type: "number" },
        { key: "body", type: "text", required: "yes" },
        { key: "extra", type: "text", maxLength: 3 },
        { type: "text" },
        "none",
      ],
    });
    const ofFields = "fields[1].key fields[2].type fields[3].key fields[4].required fields[5].maxLength";
    expect(invalidFields(refused)).toBe(`colour ${ofFields} fields[6].key fields[7] name slug`);
    expect(await content.events(tenant.tenantId)).toEqual([]);
  });

  test.each([
    ["a slug that is too long", "a".repeat(65), { name: "A", fields: [] }, "slug"],
    ["a slug with two hyphens in a row", "a--b", { name: "A", fields: [] }, "slug"],
    ["a name that is too long", "a", { name: "A".repeat(201), fields: [] }, "name"],
    ["no name", "a", { fields: [] }, "name"],
    ["a name with U+0000", "a", { name: "a\u0000", fields: [] }, "name"],
    ["no fields", "a", { name: "A" }, "fields"],
    ["fields that are not a list", "a", { name: "A", fields: {} }, "fields"],
    ["the key __proto__", "a", { name: "A", fields: [{ key: "__proto__", type: "text" }] }, "fields[0].key"],
    ["a body that is a list", "a", [], "body"],
  ])("is refused with %s", async (_what, slug, body, at) => {
    const refused = await content.newTenant().put(`/v1/content-types/${slug}`, body);
    expect(invalidFields(refused).split(" ")).toContain(at);
  });

  test("is created once by concurrent requests, and changed by one after the other", async () => {
    const tenant = content.newTenant();
    const put = (name: string) => tenant.put("/v1/content-types/twin", { name, fields: [] });
    const same = await Promise.all(Array.from({ length: 6 }, () => put("Twin")));
    expect(same.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect((await content.events(tenant.tenantId)).length).toBe(1);
    const changed = await Promise.all(["A", "B", "C", "D"].map(put));
    expect(changed.map(({ body }) => body.data.version).sort()).toEqual([2, 3, 4, 5]);
    const versions = (await content.events(tenant.tenantId)).map(({ data }) => data.contentType.version);
    expect(versions).toEqual([1, 2, 3, 4, 5]);
  });

  test("is listed newest first, page by page", async () => {
    const tenant = content.newTenant();
    for (const slug of ["a", "b", "c", "d", "e"]) await putType(tenant, slug);
    const seen = (await readPages(tenant, "/v1/content-types?limit=2")).flat().map(({ slug }) => slug);
    expect(seen).toEqual(["e", "d", "c", "b", "a"]);
  });

  test("of another tenant has no entries", async () => {
    await putType(content.newTenant(), "theirs");
    const refused = await content.newTenant().post("/v1/entries", { type: "theirs", data: {} });
    expect(faults(refused)).toEqual({ type: "no such content type" });
  });
});
