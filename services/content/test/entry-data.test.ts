// Which data an entry may contain. Each field is validated against the type, and one response names every fault. A draft
// may lack a required field; an entry that goes live may not.
import { randomUUID } from "node:crypto";
import { invalidFields } from "@tradepost/testing";
import { dataOf, faults, inSeconds, newDraft, outcome, putType } from "./support/editing.ts";
import { insertMedia } from "./support/media-client.ts";
import { sharedTestContent } from "./support/test-content.ts";

const TYPES = ["text", "richtext", "number", "boolean", "datetime", "media", "reference", "json"];
const ID = randomUUID();
const headers = { "content-type": "application/json" };

const content = await sharedTestContent();
const tenant = content.newTenant();
await putType(
  tenant,
  "article",
  TYPES.map((type) => ({ key: `a_${type}`, type })),
);
await putType(tenant, "strict", [
  { key: "title", type: "text", required: true },
  { key: "image", type: "media", required: true },
  { key: "next", type: "reference", required: false },
]);

describe("an entry's data", () => {
  test.each<[string, unknown[], unknown[]]>([
    ["text", ["", "A", "é 😀 \r\n\t"], [1, true, {}, [], "a\u0000", "\ud800", "\u001b[2J"]],
    ["richtext", ["A", { type: "doc", content: [] }, [{ p: "A" }]], [1, false, "\u0085"]],
    ["number", [0, -1.5, 1e300], ["1", true, {}, []]],
    ["boolean", [true, false], ["true", 1, 0]],
    [
      "datetime",
      ["2026-01-31T09:00:00Z", "2026-01-31T09:00:00.123456+02:00"],
      ["2026-01-31", "2026-02-30T09:00:00Z", "2026-01-31T09:00:00", "soon", 1, {}],
    ],
    ["media", [ID, ID.toUpperCase()], ["a.png", 1, {}, `${ID}0`]],
    ["reference", [ID], ["home", 1, [ID]]],
    ["json", [0, "", false, [], {}, { __proto__: null, a: [1, { b: null }] }], ["\u0000", { "\u0000": 1 }]],
  ])("stores valid values of a %s field, and refuses others", async (type, good, bad) => {
    const key = `a_${type}`;
    for (const value of good) {
      const { path } = await newDraft(tenant, { [key]: value });
      expect(dataOf(await tenant.get(path)).data).toEqual({ [key]: value });
    }
    for (const value of bad) {
      const refused = await tenant.post("/v1/entries", { type: "article", data: { [key]: value } });
      expect([value, outcome(refused)]).toEqual([value, "422 validation_error"]);
      expect(Object.keys(faults(refused))[0]).toMatch(`data.${key}`);
    }
  });

  test("keeps all digits of a number", async () => {
    const write = (number: string) => `{"a_number":${number},"a_json":[{"n":${number}}]}`;
    for (const number of ["123456789012345678901234567890", "0.100000000000000000000000000001", "-1e400"]) {
      const body = `{"type":"article","data":${write(number)}}`;
      const created = await tenant.send("POST", "/v1/entries", { headers, body });
      const path = `/v1/entries/${dataOf(created).id}`;
      expect((await tenant.get(path)).text).toContain(write(number));
      const again = await tenant.send("PATCH", path, { headers, body: `{"data":{"a_number":${number}}}` });
      expect(dataOf(again).revision).toBe(1);
      await tenant.post(`${path}/publish`);
      expect((await tenant.get(`${path}?version=published`)).text).toContain(write(number));
    }
  });

  test("is merged into the stored values of its fields by a JSON merge patch", async () => {
    const { path } = await newDraft(tenant, { a_text: "A", a_number: 2, a_json: { x: { y: 1, z: 2 } } });
    const type = { "content-type": "application/merge-patch+json" };
    const merge = (body: string) => tenant.send("PATCH", path, { headers: type, body });
    const merged = await merge('{"data":{"a_number":null,"a_json":{"x":{"y":null,"w":[{"v":null}]}}}}');
    expect(dataOf(merged)).toMatchObject({ revision: 2 });
    expect(dataOf(merged).data).toEqual({ a_text: "A", a_json: { x: { z: 2, w: [{ v: null }] } } });
    expect(dataOf(await merge('{"data":{"a_json":{"x":{"y":null}}}}')).revision).toBe(2);
    const refused = await merge('{"slug":"?","data":{"a_text":{"a":1},"other":null}}');
    expect(invalidFields(refused)).toBe("data.a_text data.other slug");
  });

  test("is refused with every fault at once, including faults outside the data", async () => {
    const data = { a_text: 1, a_number: "1", other: true, a_json: { deep: "\u0000" } };
    const refused = await tenant.post("/v1/entries", {
      ...{ type: "article", slug: "No Slug", locale: "not a locale", colour: "red", data },
    });
    expect(invalidFields(refused)).toBe(
      "colour data.a_json.deep data.a_number data.a_text data.other locale slug",
    );
    const { path } = await newDraft(tenant, {});
    const change = await tenant.patch(path, { slug: 1, locale: "de", data: { a_boolean: "no", other: 1 } });
    expect(invalidFields(change)).toBe("data.a_boolean data.other locale slug");
    const unknown = await tenant.post("/v1/entries", { type: "none", slug: "?" });
    expect(invalidFields(unknown)).toBe("data slug type");
  });

  test("is refused with an unknown field, even if its value is null", async () => {
    const { path } = await newDraft(tenant, { a_text: "A" });
    const changed = await tenant.patch(path, { data: { a_text: null, other: null } });
    expect(faults(changed)).toEqual({ "data.other": "is not a field of this content type" });
    expect(dataOf(await tenant.get(path))).toMatchObject({ revision: 1, data: { a_text: "A" } });
    const created = await tenant.post("/v1/entries", {
      type: "article",
      data: { a_text: null, other: null },
    });
    expect([invalidFields(changed), invalidFields(created)]).toEqual(["data.other", "data.other"]);
  });

  test.each<[string, string, string]>([
    ["a type with U+0000", '{"type":"a\\u0000","data":{}}', "type"],
    ["a type that is not a string", '{"type":7,"data":{}}', "type"],
    ["data that is a list", '{"type":"article","data":[]}', "data"],
    ["data that is null", '{"type":"article","data":null}', "data"],
    ["data under __proto__", '{"type":"article","data":{"__proto__":{"a_text":"A"}}}', "data.__proto__"],
    ["a body's __proto__", '{"type":"article","data":{},"__proto__":{"slug":"a"}}', "__proto__"],
    ["a constructor", '{"type":"article","data":{"constructor":"A"}}', "data.constructor"],
    ["an empty slug", '{"type":"article","slug":"","data":{}}', "slug"],
    ["a body that is a list", "[]", "body"],
  ])("is refused with %s", async (_what, body, at) => {
    const refused = await tenant.send("POST", "/v1/entries", { headers, body });
    expect(invalidFields(refused).split(" ")).toContain(at);
  });

  test("keeps __proto__ in a json field, and refuses deep nesting", async () => {
    const post = (value: string) =>
      tenant.send("POST", "/v1/entries", { headers, body: `{"type":"article","data":{"a_json":${value}}}` });
    const json = '{"__proto__":{"a":1},"constructor":2}';
    const created = await post(json);
    expect((await tenant.get(`/v1/entries/${dataOf(created).id}`)).text).toContain(json);
    for (const depth of [80, 5_000]) {
      expect(outcome(await post("[".repeat(depth) + "]".repeat(depth)))).toBe("422 validation_error");
    }
    const deepest = await post("[".repeat(300_000) + "]".repeat(300_000));
    expect([400, 422]).toContain(deepest.status);
  });

  test("loses a field that is null, and keeps a field that is not named", async () => {
    const { path, entry } = await newDraft(tenant, { a_text: "A", a_boolean: true, a_json: null });
    expect(entry.data).toEqual({ a_text: "A", a_boolean: true });
    expect(dataOf(await tenant.patch(path, { data: { a_text: null, a_number: null } }))).toMatchObject({
      revision: 2,
      data: { a_boolean: true },
    });
    expect(dataOf(await tenant.patch(path, { data: { a_text: null } })).revision).toBe(2);
  });

  test("may lack a required field in a draft, but not when it goes live or is scheduled", async () => {
    const { path } = await newDraft(tenant, { title: "" }, { type: "strict" });
    const missing = { "data.title": "is required", "data.image": "is required" };
    expect(faults(await tenant.post(`${path}/publish`))).toEqual(missing);
    expect(faults(await tenant.post(`${path}/schedule`, { publishAt: inSeconds(60) }))).toEqual(missing);
    expect(dataOf(await tenant.get(path))).toMatchObject({ status: "draft", revision: 1 });
  });

  test("must refer to media and entries of the same tenant to go live", async () => {
    const other = content.newTenant();
    await putType(other);
    const [image, next, theirImage] = [randomUUID(), await newDraft(tenant, {}), randomUUID()];
    const theirs = await newDraft(other, {});
    await insertMedia(content, other.tenantId, theirImage);
    const data = { title: "A", image: theirImage, next: theirs.id };
    const { path } = await newDraft(tenant, data, { type: "strict" });
    const unknown = { "data.image": "no such media asset", "data.next": "no such entry" };
    expect(faults(await tenant.post(`${path}/publish`))).toEqual(unknown);
    expect(faults(await tenant.post(`${path}/schedule`, { publishAt: inSeconds(60) }))).toEqual(unknown);
    await tenant.patch(path, { data: { image: image.toUpperCase(), next: next.id, title: null } });
    expect(faults(await tenant.post(`${path}/publish`))).toEqual({
      "data.title": "is required",
      "data.image": unknown["data.image"],
    });
    await insertMedia(content, tenant.tenantId, image);
    await tenant.patch(path, { data: { title: "A" } });
    expect(outcome(await tenant.post(`${path}/publish`))).toBe("200");
  });
});
