// Creating, changing and reading content types. A request that changes nothing writes no event; a refusal names every fault. A type
// may change only if the draft, the live and the scheduled revision of each of its entries stay valid.
import { randomUUID } from "node:crypto";
import { invalidFields, readPages } from "@tradepost/testing";
import { ARTICLE, dataOf, faults, inSeconds, newDraft, outcome, putType } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

const TITLE = { key: "title", type: "text", required: false };
const BODY = { key: "body", type: "text", required: false };

let tenant: TestTenant;
const content = await sharedTestContent();
beforeEach(() => {
  tenant = content.newTenant();
});

describe("a content type", () => {
  test("is created, stays as it is after the same request, and gets a new version when it changes", async () => {
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
    const fields = Array.from({ length: 101 }, (_, index) => ({ key: `f${index}`, type: "json" }));
    await putType(tenant, "empty", []);
    expect((await putType(tenant, "wide", fields.slice(1))).fields.length).toBe(100);
    const refused = await tenant.put("/v1/content-types/wider", { name: "Wider", fields });
    expect(faults(refused)).toEqual({ fields: "must contain at most 100 fields" });
  });

  test("is refused with every fault at once", async () => {
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

describe("a content type in use", () => {
  const start = async () => {
    tenant = content.newTenant();
    await putType(tenant, "article", [TITLE, BODY]);
  };
  beforeEach(start);
  const put = async (...fields: object[]) =>
    outcome(await tenant.put("/v1/content-types/article", { name: "article", fields }));
  const IN_USE = "409 content_type_in_use";

  test("cannot lose a field that a draft uses, and can once no draft uses it", async () => {
    const { path } = await newDraft(tenant, { title: "A", body: "B" });
    expect(await put(TITLE)).toBe(IN_USE);
    expect(await put(TITLE, { ...BODY, type: "number" })).toBe(IN_USE);
    expect(await put(TITLE, { ...BODY, type: "richtext" })).toBe("200");
    await tenant.patch(path, { data: { body: null } });
    expect(await put(TITLE)).toBe("200");
    const changed = dataOf(await tenant.get("/v1/content-types/article"));
    expect(changed).toMatchObject({ version: 3, fields: [TITLE] });
    // The old revision has a field that the type no longer has.
    const refused = await tenant.post(`${path}/revisions/1/restore`);
    expect(outcome(refused)).toBe("409 conflict");
    expect(refused.body.error.message).toContain("data.body");
    expect(dataOf(await tenant.get(path)).revision).toBe(2);
  });

  const publish = (path: string) => tenant.post(`${path}/publish`);
  const schedule = (path: string) => tenant.post(`${path}/schedule`, { publishAt: inSeconds(3600) });
  test.each([
    ["live", publish, publish],
    ["scheduled", schedule, (path: string) => tenant.delete(`${path}/schedule`)],
  ])("cannot lose a field that only a %s revision uses", async (_what, use, release) => {
    const { path } = await newDraft(tenant, { title: "A", body: "B" });
    await use(path);
    await tenant.patch(path, { data: { body: null } });
    expect(await put(TITLE)).toBe(IN_USE);
    await release(path);
    expect(await put(TITLE)).toBe("200");
  });

  test("can require a field, unless a live or scheduled revision lacks it; drafts may lack it", async () => {
    const { path } = await newDraft(tenant, { title: "A" });
    const required = { ...BODY, required: true };
    await tenant.post(`${path}/schedule`, { publishAt: inSeconds(3600) });
    expect(await put(TITLE, required)).toBe(IN_USE);
    await tenant.post(`${path}/publish`);
    expect(await put(TITLE, required)).toBe(IN_USE);
    await tenant.post(`${path}/unpublish`);
    expect(await put(TITLE, required)).toBe("200");
    expect(outcome(await tenant.post(`${path}/publish`))).toBe("422 validation_error");
  });

  test.each([0, 499, 500, 999, 1_000, 1_099])(
    "finds the one incompatible entry of 1,100: number %d",
    async (at) => {
      await content.sql(
        `with inserted as (
         insert into entries (tenant_id, id, type, locale, slug, revision)
         select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'article', 'en', n::text, 1
           from generate_series(0, 1099) n returning id, slug)
       insert into entry_revisions (tenant_id, entry_id, id, revision, slug, data, actor)
       select $1, id, id, 1, slug, case when slug = $2 then '{"body":"B"}' else '{"title":"A"}' end::json, '{}' from inserted`,
        [tenant.tenantId, String(at)],
      );
      expect(await put({ ...BODY, key: "other" }, TITLE)).toBe(IN_USE);
      const incompatible = `00000000-0000-7000-8000-${String(at).padStart(12, "0")}`;
      await tenant.delete(`/v1/entries/${incompatible}`);
      expect(await put(TITLE)).toBe("200");
    },
  );

  test("never has an invalid entry, even if entries are created while it changes", async () => {
    for (let round = 0; round < 15; round += 1) {
      await start();
      const slug = randomUUID();
      const [changed, ...created] = await Promise.all([
        put(TITLE),
        ...Array.from({ length: 3 }, () =>
          tenant.post("/v1/entries", { type: "article", data: { body: slug } }),
        ),
      ]);
      const statuses = created.map(({ status }) => status);
      const { fields } = dataOf(await tenant.get("/v1/content-types/article"));
      expect(fields.length).toBe(changed === "200" ? 1 : 2);
      if (changed === "200") expect(statuses).toEqual([422, 422, 422]);
      else expect([changed, statuses.includes(201)]).toEqual([IN_USE, true]);
    }
  });
});
