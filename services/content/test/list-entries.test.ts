// Lists of entries: newest first, filtered by type, status, slug and locale. Pages do not shift while entries are created.

import { invalidFields, readPages } from "@tradepost/testing";
import { dataOf, inSeconds, newDraft, putType } from "./support/editing.ts";
import { sharedTestContent } from "./support/test-content.ts";

const TYPES = ["article", "page"];
const LOCALES = ["en", "de"];
const STATES = ["draft", "scheduled", "published", "live and scheduled"];

const all: { id: string; type: string; locale: string; state: string; slug: string; status: string }[] = [];
const content = await sharedTestContent();
const tenant = content.newTenant();
const other = content.newTenant();
for (const type of TYPES) await putType(tenant, type);
await putType(other);
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
