import { eventData } from "./event-data.ts";
import { subscribableTypes } from "./event-types.ts";
import { orderTypes } from "./order-events.ts";
import { thinDataOf, thinSchemaOf } from "./thin-data.ts";

test.each([...subscribableTypes, ...orderTypes])("%s has thin data that matches its schema", (type) => {
  const { schema, example } = eventData[type] ?? {};
  if (schema === undefined || example === undefined) throw new Error("no such type");
  const thin = thinDataOf(example);
  expect(thinSchemaOf(schema).parse(thin)).toEqual(thin);
  expect(thinSchemaOf(schema).safeParse(example).success).toBe(false);
});

test("thin data has at most 8 KiB, with all changed fields that fit", () => {
  const changedFields = Array.from({ length: 200 }, (_, index) => `${index}`.padStart(64, "k"));
  const entry = {
    id: "i",
    type: "t".repeat(64),
    slug: "😀".repeat(255),
    locale: "en",
    status: "draft",
    version: 1,
  };
  const bytes = Buffer.byteLength(JSON.stringify(thinDataOf({ entry, changedFields })));
  expect(bytes).toBeLessThanOrEqual(8 * 1024);
  expect(bytes).toBeGreaterThan(8 * 1024 - 68);
  expect(thinDataOf({ entry, changedFields: changedFields.slice(0, 101) }).changedFields).toHaveLength(101);
  const redirect = { id: "i", from: `/${"%C3%BC".repeat(341)}`, to: "/", version: 1 };
  expect(thinDataOf({ redirect })).toEqual({ redirect: { id: "i", from: redirect.from, version: 1 } });
});
