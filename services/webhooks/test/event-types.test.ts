// Lists the event types that a tenant can subscribe to, with a schema and an example of each.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { subscribableTypes } from "@tradepost/event-catalog";
import { Ajv2020 } from "ajv/dist/2020.js";
import { startTestWebhooks, type TestWebhooks } from "./support/webhooks.ts";

interface ListedType {
  type: string;
  description: string;
  schema: Record<string, unknown>;
  example: Record<string, unknown>;
}

describe("event types", () => {
  let webhooks: TestWebhooks;
  let types: ListedType[];

  beforeAll(async () => {
    webhooks = await startTestWebhooks();
    const viewer = webhooks.as({ role: "viewer" });
    const { status, body } = await viewer.get("/v1/webhooks/event-types");
    expect([status, body.success, body.page]).toEqual([200, true, { nextCursor: null }]);
    types = body.data;
  });

  afterAll(() => webhooks.stop());

  test("are the ten that can be subscribed to, each with its description", () => {
    expect(types.map(({ type }) => type)).toEqual(subscribableTypes);
    expect(types).toHaveLength(10);
    for (const { description } of types) expect(description).toMatch(/\S/);
  });

  test.each(subscribableTypes)(
    "the schema of %s accepts its example and refuses data without its resource",
    (type) => {
      const { schema, example } = types.find((one) => one.type === type) as ListedType;
      // Ajv has no formats of its own. The schemas contain patterns with the same meaning.
      const isValid = new Ajv2020({ validateFormats: false }).compile(schema);
      expect([isValid(example), isValid.errors]).toEqual([true, null]);
      const [resource = ""] = Object.keys(example);
      expect(isValid({})).toBe(false);
      expect(isValid({ [resource]: {} })).toBe(false);
    },
  );
});
