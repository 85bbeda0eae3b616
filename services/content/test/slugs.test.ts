// Slugs: an entry claims the slugs of its draft, live and scheduled revisions. Without one in the request, the slug is made
// from the first text field.
import { dataOf, inSeconds, newDraft, newLive, outcome, putType } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

let tenant: TestTenant;
const content = await sharedTestContent();

describe("a slug", () => {
  beforeEach(async () => {
    tenant = content.newTenant();
    await putType(tenant);
    await putType(tenant, "page");
  });
  const create = async (slug: string, more: object = {}) =>
    outcome(await tenant.post("/v1/entries", { type: "article", slug, data: { title: "B" }, ...more }));
  const TAKEN = "409 conflict";

  test("is taken while another entry's draft, live or scheduled revision has it", async () => {
    const { path } = await newLive(tenant, { title: "A" }, { slug: "live" });
    await tenant.patch(path, { slug: "due" });
    await tenant.post(`${path}/schedule`, { publishAt: inSeconds(3_600) });
    await tenant.patch(path, { slug: "written" });
    const other = await newDraft(tenant, { title: "B" }, { slug: "other" });
    for (const slug of ["live", "due", "written"]) {
      expect([slug, await create(slug)]).toEqual([slug, TAKEN]);
      expect([slug, outcome(await tenant.patch(other.path, { slug }))]).toEqual([slug, TAKEN]);
    }
    expect(dataOf(await tenant.get(other.path))).toMatchObject({ slug: "other", revision: 1 });
    expect(outcome(await tenant.patch(path, { slug: "live" }))).toBe("200");
    expect(await create("written")).toBe("201");
    await tenant.delete(`${path}/schedule`);
    expect(await create("due")).toBe("201");
    await tenant.patch(path, { slug: "last" });
    expect(await create("live")).toBe(TAKEN);
    await tenant.post(`${path}/unpublish`);
    expect(await create("live")).toBe("201");
    expect(await create("last")).toBe(TAKEN);
    await tenant.delete(path);
    expect(await create("last")).toBe("201");
  });

  test("is free once the entry is live with another slug", async () => {
    const { path } = await newLive(tenant, { title: "A" }, { slug: "a" });
    await tenant.patch(path, { slug: "b" });
    expect(await create("a")).toBe(TAKEN);
    await tenant.post(`${path}/publish`);
    expect(await create("a")).toBe("201");
  });

  test("prevents restoring a revision once another entry has claimed it", async () => {
    const { path } = await newDraft(tenant, { title: "A" }, { slug: "a" });
    await tenant.patch(path, { slug: "b" });
    expect(await create("a")).toBe("201");
    expect(outcome(await tenant.post(`${path}/revisions/1/restore`))).toBe(TAKEN);
    expect(dataOf(await tenant.get(path))).toMatchObject({ slug: "b", revision: 2 });
  });

  test("may be the same in another locale, for another type and for another tenant", async () => {
    expect(await create("a")).toBe("201");
    expect(await create("a", { locale: "EN" })).toBe(TAKEN);
    expect(await create("a", { locale: "de" })).toBe("201");
    expect(await create("a", { type: "page" })).toBe("201");
    tenant = content.newTenant();
    await putType(tenant);
    expect(await create("a")).toBe("201");
  });

  test.each([
    ["Été à la mer", "ete-a-la-mer"],
    ["Straße & Söhne", "strasse-and-soehne"],
    ["  --Hello,   World!--  ", "hello-world"],
    ["Привет", "privet"],
    ["a".repeat(500), "a".repeat(190)],
    [`${"a".repeat(189)} b`, "a".repeat(189)],
  ])("is made from the first text: %s", async (title, slug) => {
    expect((await newDraft(tenant, { body: "Body", title })).entry.slug).toBe(slug);
  });

  test("is the id if the text has no usable letter", async () => {
    for (const data of [{}, { title: " " }, { title: "日本語" }, { title: "!?" }, { body: "A" }]) {
      const { entry, id } = await newDraft(tenant, data);
      expect(entry.slug).toBe(id);
    }
  });

  test("is made even from a text of megabytes", async () => {
    const { entry } = await newDraft(tenant, { title: "aB- ß".repeat(300_000) });
    expect(entry.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  test("that is generated gets a suffix if it is taken; a requested one is refused", async () => {
    const same = await Promise.all(Array.from({ length: 30 }, () => newDraft(tenant, { title: "The same" })));
    const slugs = same.map(({ entry }) => entry.slug as string);
    expect(new Set(slugs).size).toBe(30);
    expect(slugs.filter((slug) => slug === "the-same").length).toBe(1);
    for (const slug of slugs) expect(slug).toMatch(/^the-same(-[0-9a-f]{8})?$/);
    const asked = await Promise.all(Array.from({ length: 8 }, () => create("asked-for")));
    expect(asked.sort()).toEqual(["201", ...Array.from({ length: 7 }, () => TAKEN)]);
  });

  test("that concurrent changes claim goes to at most one entry", async () => {
    const [a, b] = [await newDraft(tenant, {}, { slug: "a" }), await newDraft(tenant, {}, { slug: "b" })];
    const [first, second] = await Promise.all([
      tenant.patch(a.path, { slug: "b" }),
      tenant.patch(b.path, { slug: "a" }),
    ]);
    expect([first, second].map(outcome)).toEqual([TAKEN, TAKEN]);
    const moved = await Promise.all([a, b].map(({ path }) => tenant.patch(path, { slug: "c" })));
    expect(moved.map(outcome).sort()).toEqual(["200", TAKEN]);
  });
});
