// Live versions in the list of entries (interface §5): `version=published` shows what visitors see and nothing of drafts, so
// a search index can be filled from it.

import { invalidFields, readPages } from "@tradepost/testing";
import { dataOf, inSeconds, newDraft, newLive, outcome, putType } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

const SECRET = "not yet public";

const content = await sharedTestContent();
const tenant = content.newTenant();
for (const type of ["article", "page"]) await putType(tenant, type);
await fill(tenant);
const other = content.newTenant();
await putType(other);
await newLive(other, { title: "Theirs" }, { slug: "unchanged" });

describe("the list of live versions", () => {
  const list = async (query = ""): Promise<{ slug: string; data: { title: string } }[]> =>
    dataOf(await tenant.get(`/v1/entries?version=published&${query}`));
  const titles = async (query = "") => (await list(query)).map(({ data }) => data.title);

  test("has the entries that are live, newest first, each as GET with the same version shows it", async () => {
    const entries = dataOf(await tenant.get("/v1/entries?version=published"));
    const shown = ["page", "german", "scheduled again", "moved", "changed", "unchanged"];
    expect(entries.map(({ data }: { data: { title: string } }) => data.title)).toEqual(shown);
    for (const entry of entries) {
      expect(entry).toEqual(dataOf(await tenant.get(`/v1/entries/${entry.id}?version=published`)));
    }
  });

  test("contains no draft, in no field and on no page", async () => {
    const path = "/v1/entries?version=published&limit=2";
    const pages = await readPages(tenant, path, ({ text }) => {
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
    const latest = (await tenant.get("/v1/entries?slug=draft-slug")).body;
    expect(latest.data).toMatchObject([{ slug: "draft-slug", data: { title: SECRET } }]);
    expect((await tenant.get("/v1/entries?slug=draft-slug&version=draft")).body).toEqual(latest);
    expect((await tenant.get("/v1/entries?slug=live-slug")).body.data).toEqual([]);
  });

  test("refuses other versions", async () => {
    for (const version of ["", "live", "1", "Published", "published,draft"]) {
      expect(invalidFields(await tenant.get(`/v1/entries?version=${version}`))).toBe("version");
    }
  });

  test("follows an entry through its life", async () => {
    const { path } = await newDraft(tenant, { title: "first" }, { slug: "life" });
    const seen = async () => (await list("slug=life")).map(({ data }) => data.title);
    expect(await seen()).toEqual([]);
    for (const [act, expected] of [
      [() => tenant.post(`${path}/publish`), ["first"]],
      [() => tenant.patch(path, { slug: "life-2", data: { title: "second" } }), ["first"]],
      [() => tenant.post(`${path}/publish`), []],
      [() => tenant.patch(path, { slug: "life" }), []],
      [() => tenant.post(`${path}/publish`), ["second"]],
      [() => tenant.post(`${path}/unpublish`), []],
      [() => tenant.post(`${path}/publish`), ["second"]],
      [() => tenant.delete(path), []],
    ] as const) {
      dataOf(await act());
      expect(await seen()).toEqual(expected);
    }
    expect(outcome(await tenant.get(`${path}?version=published`))).toBe("404 not_found");
  });
});

async function fill(tenant: TestTenant): Promise<void> {
  await newDraft(tenant, { title: SECRET }, { slug: "never-live" });
  await newLive(tenant, { title: "unchanged" }, { slug: "unchanged" });
  const changed = await newLive(tenant, { title: "changed" }, { slug: "changed" });
  dataOf(await tenant.patch(changed.path, { data: { title: SECRET, body: SECRET } }));
  const moved = await newLive(tenant, { title: "moved" }, { slug: "live-slug" });
  dataOf(await tenant.patch(moved.path, { slug: "draft-slug", data: { title: SECRET } }));
  const again = await newLive(tenant, { title: "scheduled again" }, { slug: "again" });
  dataOf(await tenant.patch(again.path, { slug: "scheduled-slug", data: { title: SECRET } }));
  dataOf(await tenant.post(`${again.path}/schedule`, { publishAt: inSeconds(3_600) }));
  const taken = await newLive(tenant, { title: SECRET }, { slug: "taken-down" });
  dataOf(await tenant.post(`${taken.path}/unpublish`));
  const scheduled = await newDraft(tenant, { title: SECRET }, { slug: "later" });
  dataOf(await tenant.post(`${scheduled.path}/schedule`, { publishAt: inSeconds(3_600) }));
  await newLive(tenant, { title: "german" }, { slug: "deutsch", locale: "de" });
  await newLive(tenant, { title: "page" }, { type: "page", slug: "page" });
}
