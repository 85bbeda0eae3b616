import { expect, test } from "@jest/globals";
import { exampleBody } from "./example-body.ts";

test("the body has the fields of a delivery, in its order", () => {
  const body = exampleBody("redirect.added", { redirect: { from: "/a" } }, "t-1");
  expect(Object.keys(JSON.parse(body))).toEqual(["id", "type", "tenant_id", "data", "delivered_at"]);
  expect(JSON.parse(body)).toMatchObject({ tenant_id: "t-1", data: { redirect: { from: "/a" } } });
});
