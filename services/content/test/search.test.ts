// Entries, media and redirects are found by their words, and counted (interface §19).
import { wordsOf } from "@tradepost/search";
import { faultPaths, invalidFields } from "@tradepost/testing";
import fc from "fast-check";
import { dataOf, newDraft, putType } from "./support/editing.ts";
import { upload } from "./support/media-client.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

const content = await sharedTestContent();

const found = async (tenant: TestTenant, path: string, search: string, more = "") => {
  const { status, body } = await tenant.get(
    `/v1/${path}?search=${encodeURIComponent(search).replaceAll("'", "%27")}${more}`,
  );
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
};
// biome-ignore lint/suspicious/noExplicitAny: redirects, media and entries.
const fieldsOf = (field: string, items: any[]) => items.map((item) => item[field]);

test("the words that SQL makes of texts are those of a search", async () => {
  const tenantId = "00000000-0000-7000-8000-000000000001";
  const character = fc.oneof(
    fc.constantFrom(..." /-.'\\%äÖüßẞæŒøÞđŁıİΣσς1²ﬁﬀ株式會社ไทยहिन्दीשלוםАБв😀\u0301\u00a0"),
    fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
  );
  const value = fc.string({ unit: character, maxLength: 60 });
  const inSql = async (values: readonly string[]) => {
    const words = "select unnest(tsvector_to_array(search_words($1, variadic $2))) as word";
    return (await content.sql(words, [tenantId, values])).map(({ word }) => word.slice(8));
  };
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 2 }), async (values) => {
      expect((await inSql(values)).sort()).toEqual(wordsOf(values).sort());
    }),
  );
  for (const text of ["Zoë Müller-Núñez", "a!".repeat(30), "x".repeat(500), "  "])
    expect((await inSql([text])).sort()).toEqual(wordsOf([text]).sort());
});

describe("a search of redirects", () => {
  const tenant = content.newTenant();
  beforeAll(async () => {
    for (const [from, to] of [
      ["/old/summer-sale", "/sale"],
      ["/Straße/Größe", "https://shop.example/sizes"],
      ["/100%25", "/%FF"],
    ])
      dataOf(await tenant.post("/v1/redirects", { from, to }));
    await content.newTenant().post("/v1/redirects", { from: "/old/other", to: "/sale" });
  });

  test.each([
    ["old", ["/old/summer-sale"]],
    ["/old/summ", ["/old/summer-sale"]],
    ["SALE", ["/old/summer-sale"]],
    ["/Stra%C3%9Fe", ["/Stra%C3%9Fe/Gr%C3%B6%C3%9Fe"]],
    ["/a%00b", []],
    ["100%", ["/100%25"]],
    ["strasse", ["/Stra%C3%9Fe/Gr%C3%B6%C3%9Fe"]],
    ["groesse shop", ["/Stra%C3%9Fe/Gr%C3%B6%C3%9Fe"]],
    ["100", ["/100%25"]],
    ["ummer", []],
    ["other", []],
    ["' | old:*", []],
    ["\\\\", []],
  ])("by %j", async (search, paths) => {
    expect(fieldsOf("from", await found(tenant, "redirects", search))).toEqual(paths);
  });

  test("also exports them", async () => {
    const { text } = await tenant.get("/v1/redirects/export?format=ndjson&search=summer");
    expect(text.trim().split("\n")).toHaveLength(1);
  });
});

test("a search of media finds file names, and an alternative text is in the media and its event", async () => {
  const tenant = content.newTenant();
  const { id } = (await upload(tenant, Buffer.from("a,b"), "Preisliste Größen-2026.csv")).body.data;
  expect(fieldsOf("id", await found(tenant, "media", "groessen"))).toEqual([id]);
  expect(await found(tenant, "media", "mug")).toEqual([]);
  const path = `/v1/media/${id}`;
  const changed = await tenant.patch(path, { altText: "Prices" });
  expect([changed.status, changed.body.data.altText]).toEqual([200, "Prices"]);
  expect((await tenant.get(path)).body.data).toEqual(changed.body.data);
  await tenant.patch(path, { altText: "Prices" });
  expect((await tenant.patch(path, { altText: null })).body.data.altText).toBeNull();
  expect((await tenant.patch(path, { altText: "x".repeat(501) })).status).toBe(422);
  expect((await tenant.patch("/v1/media/nobody", { altText: null })).status).toBe(404);
  expect(fieldsOf("data", await tenant.feed(2, "&types=media.updated"))).toMatchObject([
    { media: { id, altText: "Prices" } },
    { media: { id, altText: null } },
  ]);
});

describe("a search of entries", () => {
  const tenant = content.newTenant();
  beforeAll(async () => {
    await putType(tenant);
    const { path } = await newDraft(tenant, { title: "The winter collection" }, { slug: "winter" });
    await tenant.patch(path, { data: { title: "The Möbel collection" } });
    await newDraft(tenant, { title: "Chairs" }, { slug: "spring" });
  });
  test.each([
    ["moebel", ["winter"]],
    ["collection winter", ["winter"]],
    ["spring", ["spring"]],
    ["chairs", ["spring"]],
    ["summer", []],
  ])("by %j", async (search, slugs) => {
    expect(fieldsOf("slug", await found(tenant, "entries", search))).toEqual(slugs);
    expect(await found(tenant, "entries", search, "&version=published")).toEqual([]);
  });
});

test("entries are found by the media that the shown version uses, with the other filters", async () => {
  const tenant = content.newTenant();
  const fields = ["picture", "other"].map((key) => ({ key, type: "media", required: false }));
  await putType(tenant, "page", [{ key: "title", type: "text", required: false }, ...fields]);
  const other = "00000000-0000-7000-8000-00000000000f";
  const { id } = (await upload(tenant, Buffer.from("a,b"), "a.csv")).body.data;
  const live = await newDraft(tenant, { picture: id.toUpperCase() }, { type: "page", slug: "live-one" });
  dataOf(await tenant.post(`${live.path}/publish`));
  dataOf(await tenant.patch(live.path, { data: { picture: other } }));
  await newDraft(tenant, { title: "Draft", other: id }, { type: "page", slug: "draft-one" });
  await newDraft(tenant, {}, { type: "page", slug: id });
  const slugs = async (query: string) => fieldsOf("slug", dataOf(await tenant.get(`/v1/entries?${query}`)));
  expect(await slugs(`mediaId=${id}`)).toEqual(["draft-one"]);
  expect(await slugs(`mediaId=${id}&version=published`)).toEqual(["live-one"]);
  expect(await slugs(`mediaId=${other},${id}`)).toEqual(["draft-one", "live-one"]);
  expect(await slugs(`mediaId=${other},${id}&search=live`)).toEqual(["live-one"]);
  expect((await tenant.get(`/v1/entries?mediaId=${id}&count=true`)).body.page.count).toBe(1);
  expect(await slugs(`search=${id}`)).toEqual([id]);
  expect((await tenant.get("/v1/entries?mediaId=a.csv")).status).toBe(422);
  const { text } = await tenant.get(`/v1/entries/export?format=ndjson&mediaId=${id}`);
  expect(text).toContain('"draft-one"');
  expect(text.trim().split("\n")).toHaveLength(1);
});

test("a common word is found among more rows than a list compares, and counted", async () => {
  const tenant = content.newTenant();
  dataOf(await tenant.post("/v1/redirects", { from: "/rare/bird", to: "/common" }));
  await content.sql(
    `insert into redirects (tenant_id, id, from_path, to_target, type, created_at)
     select $1, gen_random_uuid(), case when n <= 1100 then '/old/' else '/new/' end || n, '/common', 301, now() + n * interval '1 ms'
       from generate_series(1, 4500) n`,
    [tenant.tenantId],
  );
  const list = async (query: string) => (await tenant.get(`/v1/redirects?${query}`)).body;
  const counted = { nextCursor: null, count: 1, countIsMore: false };
  expect((await list("search=rare&count=true")).page).toEqual(counted);
  expect((await list("search=common&limit=10&count=true")).data).toHaveLength(10);
  const first = await list("search=old&count=true");
  expect(first.data).toEqual([]);
  expect(first.page).toEqual({ nextCursor: expect.any(String), count: 1_000, countIsMore: true });
  const second = await list(`search=old&cursor=${first.page.nextCursor}`);
  expect(second.data[0].from).toBe("/old/1100");
  expect((await list("search=bird%20common&count=true")).data).toHaveLength(1);
  expect((await list("count=true")).page).toMatchObject({ count: 1_000, countIsMore: true });
  expect((await list("count=yes")).error.details[0].path).toBe("count");
});

describe("redirects in bulk", () => {
  const bulk = (tenant: TestTenant, redirects: unknown, key?: string) =>
    tenant.post("/v1/redirects/bulk", { redirects }, key === undefined ? {} : { "idempotency-key": key });

  test("are each created or refused, with an event for each that was created", async () => {
    const tenant = content.newTenant();
    const redirects = [
      { from: "/a", to: "/b" },
      { from: "/b", to: "/a" },
      { from: "/a", to: "/c" },
      { to: 1 },
      5,
    ];
    const { status, body } = await bulk(tenant, [...redirects, { from: "/c", to: "/d", type: 302 }], "once");
    expect([status, fieldsOf("index", body.data)]).toEqual([200, [0, 1, 2, 3, 4, 5]]);
    expect(body.data.map((one: { error?: { code: string } }) => one.error?.code)).toEqual([
      ...[undefined, "redirect_loop", "redirect_exists", "validation_error", "validation_error", undefined],
    ]);
    expect(faultPaths({ body: body.data[3] })).toEqual(["from", "to"]);
    expect(body.data[0].data).toEqual((await tenant.get(`/v1/redirects/${body.data[0].data.id}`)).body.data);
    expect(fieldsOf("data", await tenant.feed(2))).toEqual([
      { redirect: body.data[0].data },
      { redirect: body.data[5].data },
    ]);
    const again = await bulk(tenant, [...redirects, { from: "/c", to: "/d", type: 302 }], "once");
    expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([body, "true"]);
    expect((await bulk(tenant, redirects, "once")).status).toBe(422);
  });

  test.each([[[]], [Array.from({ length: 101 }, () => ({}))], ["/a /b"]])(
    "are 1 to 100",
    async (redirects) => {
      expect(invalidFields(await bulk(content.newTenant(), redirects))).toBe("redirects");
    },
  );
});
