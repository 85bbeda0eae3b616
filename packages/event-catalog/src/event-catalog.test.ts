import { describe, expect, test } from "@jest/globals";
import { eventData } from "./event-data.ts";
import { eventTypes, feedOnlyTypes, isSubscribable, subscribableTypes } from "./event-types.ts";

describe("event catalog", () => {
  test("has 66 types, each once", () => {
    const types = eventTypes.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    expect(types).toHaveLength(66);
  });

  test("makes ten types subscribable, and not order.placed", () => {
    expect(subscribableTypes).toHaveLength(10);
    expect(isSubscribable("redirect.added")).toBe(true);
    expect(isSubscribable("order.placed")).toBe(false);
    expect(isSubscribable("toString")).toBe(false);
  });

  test("has a schema and an example for each subscribable type and each type of feeds only", () => {
    expect(Object.keys(eventData)).toEqual(expect.arrayContaining([...subscribableTypes, ...feedOnlyTypes]));
  });

  test("has no type of feeds only", () => {
    expect(eventTypes.filter(({ type }) => feedOnlyTypes.includes(type))).toEqual([]);
  });

  test.each(Object.entries(eventData))(
    "has an example of %s that matches its schema",
    (type, { schema, example }) => {
      expect([...eventTypes.map((known) => known.type), ...feedOnlyTypes]).toContain(type);
      expect(schema.parse(example)).toEqual(example);
    },
  );
});
