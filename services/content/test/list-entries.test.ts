// Lists of entries: newest first, filtered by type, status, slug and locale. Pages do not shift while entries are created.
// `version=published` shows what visitors see and nothing of drafts, so a search index can be filled from it (interface §5).

import { invalidFields, readPages } from "@tradepost/testing";
import { dataOf, inSeconds, newDraft, newLive, outcome, putType } from "./support/editing.ts";
import { sharedTestContent } from "./support/test-content.ts";

const TYPES = ["article", "page"];
const LOCALES = ["en", "de"];
const STATES = ["draft", "scheduled", "published", "live and scheduled"];

const SECRET = "not yet public";

const all: { id: string; type: string; locale: string; state: string; slug: string; status: string }[] = [];
const content = await sharedTestContent();
const tenant = content.newTenant();
const other = content.newTenant();
const visited = content.newTenant();
for (const one of [tenant, visited, other]) for (const type of TYPES) await putType(one, type);
for (const type of TYPES) {
  for (const locale of LOCALES) {
    for (const [index, state] of STATES.entries()) {
      const slug = `is-${index}`;
      const { path, id } = await newDraft(tenant, { title: "A" }, { type, locale, slug });
      if (/published|live/.test(state)) dataOf(await tenant.post(`${path}/publish`));
      if (/live/.test(state)) dataOf(await tenant.patch(path, { data: { title: "B" } }));
      const isScheduled = /scheduled/.test(state);
      if (isScheduled) dataOf(await tenant.post(`${path}/schedule`, { publishAt: inSeconds(3_600) }));
      all.push({ id, type, locale, state, slug, status: isScheduled ? "scheduled" : state });
    }
  }
}
await newDraft(other, { title: "Theirs" }, { slug: "is-0" });
await newLive(other, { title: "Theirs" }, { slug: "unchanged" });
await newDraft(visited, { title: SECRET }, { slug: "never-live" });
await newLive(visited, { title: "unchanged" }, { slug: "unchanged" });
const changed = await newLive(visited, { title: "changed" }, { slug: "changed" });
dataOf(await visited.patch(changed.path, { data: { title: SECRET, body: SECRET } }));
const moved = await newLive(visited, { title: "moved" }, { slug: "live-slug" });
dataOf(await visited.patch(moved.path, { slug: "draft-slug", data: { title: SECRET } }));
const again = await newLive(visited, { title: "scheduled again" }, { slug: "again" });
dataOf(await visited.patch(again.path, { slug: "scheduled-slug", data: { title: SECRET } }));
dataOf(await visited.post(`${again.path}/schedule`, { publishAt: inSeconds(3_600) }));
const taken = await newLive(visited, { title: SECRET }, { slug: "taken-down" });
dataOf(await visited.post(`${taken.path}/unpublish`));
const scheduled = await newDraft(visited, { title: SECRET }, { slug: "later" });
dataOf(await visited.post(`${scheduled.path}/schedule`, { publishAt: inSeconds(3_600) }));
await newLive(visited, { title: "german" }, { slug: "deutsch", locale: "de" });
await newLive(visited, { title: "page" }, { type: "page", slug: "page" });

describe("the list of entries", () => {
  const ids = async (query: string): Promise<string[]> =>
    dataOf(await tenant.get(`/v1/entries?limit=100&${query}`)).map(({ id }: { id: string }) => id);

  test("obeys each filter and every combination", async () => {
    const choices = {
      type: ["", "article", "page", "none"],
      status: ["", "draft", "scheduled", "published"],
      slug: ["", "is-0", "is-3"],
      locale: ["", "de", "fr"],
    };
    for (const type of choices.type) {
      for (const status of choices.status) {
        for (const slug of choices.slug) {
          for (const locale of choices.locale) {
            const filter = Object.entries({ type, status, slug, locale }).filter(([, value]) => value !== "");
            const expected = all.filter((one) =>
              filter.every(([key, value]) => one[key as "type"] === value),
            );
            const query = String(new URLSearchParams(filter));
            expect([query, await ids(query)]).toEqual([query, expected.map(({ id }) => id).reverse()]);
          }
        }
      }
    }
  });

  test("accepts a locale in any spelling", async () => {
    const { id } = await newDraft(tenant, {}, { locale: "zh-hans-cn" });
    for (const spelling of ["zh-hans-cn", "ZH-Hans-CN", "zh-Hans-CN"]) {
      expect([spelling, await ids(`locale=${spelling}`)]).toEqual([spelling, [id]]);
    }
    await tenant.delete(`/v1/entries/${id}`);
  });

  test("shows each entry as GET /v1/entries/{id} does", async () => {
    for (const entry of dataOf(await tenant.get("/v1/entries"))) {
      expect(entry).toEqual(dataOf(await tenant.get(`/v1/entries/${entry.id}`)));
    }
  });

  test("does not shift its pages while entries are created", async () => {
    let added = 0;
    const pages = await readPages(tenant, "/v1/entries?locale=en&limit=3", async () => {
      added += 1;
      await newDraft(tenant, {}, { slug: `added-${added}` });
    });
    const seen = pages.flat().map(({ id }) => id);
    const english = all.filter(({ locale }) => locale === "en").map(({ id }) => id);
    expect(seen).toEqual(english.reverse());
  });

  test.each([
    ...["limit=", "cursor=", "status=live", "status=", "status=Draft", "slug=%00", "type=%00"],
    ...[`slug=${"a".repeat(201)}`, `locale=${"a".repeat(36)}`, "locale=de_AT", "locale="],
  ])("refuses the query %s", async (query) => {
    expect(invalidFields(await tenant.get(`/v1/entries?${query}`))).toBe(query.split("=")[0]);
  });
});

describe("the list of live versions", () => {
  const list = async (query = ""): Promise<{ slug: string; data: { title: string } }[]> =>
    dataOf(await visited.get(`/v1/entries?version=published&${query}`));
  const titles = async (query = "") => (await list(query)).map(({ data }) => data.title);

  test("has the entries that are live, newest first, each as GET with the same version shows it", async () => {
    const entries = dataOf(await visited.get("/v1/entries?version=published"));
    const shown = ["page", "german", "scheduled again", "moved", "changed", "unchanged"];
    expect(entries.map(({ data }: { data: { title: string } }) => data.title)).toEqual(shown);
    for (const entry of entries) {
      expect(entry).toEqual(dataOf(await visited.get(`/v1/entries/${entry.id}?version=published`)));
    }
  });

  test("contains no draft, in no field and on no page", async () => {
    const path = "/v1/entries?version=published&limit=2";
    const pages = await readPages(visited, path, ({ text }) => {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain("draft-slug");
    });
    const seen = pages.flat().map(({ data }) => data.title);
    expect(seen).toEqual(await titles());
  });

  test.each([
    ["slug=unchanged", ["unchanged"]],
    ["slug=live-slug", ["moved"]],
    ["slug=draft-slug", []],
    ["slug=never-live", []],
    ["slug=scheduled-slug", []],
    ["type=page", ["page"]],
    ["type=article&locale=de", ["german"]],
    ["locale=fr", []],
    ["status=scheduled", ["scheduled again"]],
    ["status=published", ["page", "german", "moved", "changed", "unchanged"]],
    ["status=draft", []],
    ["slug=live-slug&type=page", []],
    ["slug=live-slug&type=article&locale=en&status=published", ["moved"]],
  ])("obeys %s", async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test("is not the default: without a version, and with draft, the list shows latest revisions", async () => {
    const latest = (await visited.get("/v1/entries?slug=draft-slug")).body;
    expect(latest.data).toMatchObject([{ slug: "draft-slug", data: { title: SECRET } }]);
    expect((await visited.get("/v1/entries?slug=draft-slug&version=draft")).body).toEqual(latest);
    expect((await visited.get("/v1/entries?slug=live-slug")).body.data).toEqual([]);
  });

  test("refuses other versions", async () => {
    for (const version of ["", "live", "1", "Published", "published,draft"]) {
      expect(invalidFields(await visited.get(`/v1/entries?version=${version}`))).toBe("version");
    }
  });

  test("follows an entry through its life", async () => {
    const { path } = await newDraft(visited, { title: "first" }, { slug: "life" });
    const seen = async () => (await list("slug=life")).map(({ data }) => data.title);
    expect(await seen()).toEqual([]);
    for (const [act, expected] of [
      [() => visited.post(`${path}/publish`), ["first"]],
      [() => visited.patch(path, { slug: "life-2", data: { title: "second" } }), ["first"]],
      [() => visited.post(`${path}/publish`), []],
      [() => visited.patch(path, { slug: "life" }), []],
      [() => visited.post(`${path}/publish`), ["second"]],
      [() => visited.post(`${path}/unpublish`), []],
      [() => visited.post(`${path}/publish`), ["second"]],
      [() => visited.delete(path), []],
    ] as const) {
      dataOf(await act());
      expect(await seen()).toEqual(expected);
    }
    expect(outcome(await visited.get(`${path}?version=published`))).toBe("404 not_found");
  });
});
