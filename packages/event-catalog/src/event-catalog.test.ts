// The catalog against the specification's list, and every example against its own schema.
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "@jest/globals";
import { eventData } from "./event-data.ts";
import { eventTypes, isSubscribable, subscribableTypes } from "./event-types.ts";
import { eventsDocument } from "./events-document.ts";

describe("event catalog", () => {
  test("holds every type of the specification once", () => {
    const types = eventTypes.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    expect(types).toHaveLength(66);
  });

  test("ten types are subscribable, and order.placed is not", () => {
    expect(subscribableTypes).toHaveLength(10);
    expect(isSubscribable("redirect.added")).toBe(true);
    expect(isSubscribable("order.placed")).toBe(false);
    expect(isSubscribable("toString")).toBe(false);
  });

  test("each subscribable type has a schema and an example", () => {
    expect(Object.keys(eventData)).toEqual(expect.arrayContaining([...subscribableTypes]));
  });

  test("docs/events.md is fresh: `npm run docs` writes it", async () => {
    const page = new URL("../../../docs/events.md", import.meta.url);
    expect(await readFile(page, "utf8")).toBe(eventsDocument());
  });

  test.each(Object.entries(eventData))(
    "the example of %s matches its schema",
    (type, { schema, example }) => {
      expect(eventTypes.map((known) => known.type)).toContain(type);
      expect(schema.parse(example)).toEqual(example);
    },
  );
});
