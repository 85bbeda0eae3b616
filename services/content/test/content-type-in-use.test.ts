// A content type may change only if that leaves the draft, the live and the scheduled revision of each of its entries valid.
import { randomUUID } from "node:crypto";
import { dataOf, inSeconds, newDraft, newLive, outcome, putType } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

const TITLE = { key: "title", type: "text", required: false };
const BODY = { key: "body", type: "text", required: false };

let tenant: TestTenant;
const content = await sharedTestContent();

describe("a content type in use", () => {
  const start = async () => {
    tenant = content.newTenant();
    await putType(tenant, "article", [TITLE, BODY]);
  };
  const put = async (...fields: object[]) =>
    outcome(await tenant.put("/v1/content-types/article", { name: "article", fields }));
  const IN_USE = "409 content_type_in_use";

  test("cannot lose a field that a draft uses, and can once no draft uses it", async () => {
    await start();
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

  test("cannot lose a field that only a live revision uses", async () => {
    await start();
    const { path } = await newLive(tenant, { title: "A", body: "B" });
    await tenant.patch(path, { data: { body: null } });
    expect(await put(TITLE)).toBe(IN_USE);
    await tenant.post(`${path}/publish`);
    expect(await put(TITLE)).toBe("200");
  });

  test("cannot lose a field that only a scheduled revision uses", async () => {
    await start();
    const { path } = await newDraft(tenant, { title: "A", body: "B" });
    await tenant.post(`${path}/schedule`, { publishAt: inSeconds(3600) });
    await tenant.patch(path, { data: { body: null } });
    expect(await put(TITLE)).toBe(IN_USE);
    await tenant.delete(`${path}/schedule`);
    expect(await put(TITLE)).toBe("200");
  });

  test("can require a field that drafts lack, but not one that a live or scheduled revision lacks", async () => {
    await start();
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
      await start();
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
