import { eventData } from "./event-data.ts";
import { eventTypes, feedOnlyTypes, isSubscribable, subscribableTypes } from "./event-types.ts";
import { moreEvents, orderTypes } from "./order-events.ts";

describe("event catalog", () => {
  test("has 66 types, each once, and none of feeds only", () => {
    const types = eventTypes.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    expect(types).toHaveLength(66);
    expect(types.filter((type) => feedOnlyTypes.includes(type))).toEqual([]);
  });

  test("makes ten types subscribable, and not order.placed", () => {
    expect(subscribableTypes).toHaveLength(10);
    expect(isSubscribable("redirect.added")).toBe(true);
    expect(isSubscribable("order.placed")).toBe(false);
    expect(isSubscribable("toString")).toBe(false);
    expect(orderTypes).toHaveLength(7);
  });

  test("has a schema and an example for each subscribable type and each type of feeds only", () => {
    const types = [...subscribableTypes, ...orderTypes, ...feedOnlyTypes];
    expect(Object.keys(eventData)).toEqual(expect.arrayContaining(types));
  });

  test("takes more types for webhooks from the orders service only", () => {
    expect(moreEvents.parse(undefined)).toEqual([]);
    expect(moreEvents.parse(" order.paid,order.placed,,order.paid")).toEqual(["order.paid", "order.placed"]);
    for (const wrong of ["redirect.added", "order.updated", "order.placed,toString"])
      expect(moreEvents.safeParse(wrong).error?.issues[0]?.message).toContain("order.placed,order.paid,");
  });

  test.each(Object.entries(eventData))(
    "has an example of %s that matches its schema",
    (type, { schema, example }) => {
      expect([...eventTypes.map((known) => known.type), ...feedOnlyTypes]).toContain(type);
      expect(schema.parse(example)).toEqual(example);
    },
  );
});
