// Routes that cannot be described. Everything else about the document shows in docs/openapi.json, which is compared with it.
import { type About, data, ok, page, type Route } from "@tradepost/http";
import { z } from "zod";
import { openApiDocument } from "./document.ts";

const thing = z.strictObject({ id: z.uuid() }).meta({ id: "Thing" });

function row(path: string, about: Partial<About>, more: Partial<Route> = {}): Route {
  return {
    ...{ method: "POST", path, module: "crm", role: "viewer", scope: "read:crm" },
    ...more,
    about: { id: path, tag: "Orders", summary: "Do it", responses: { 200: data(thing) }, ...about },
    handle: () => ok(null),
  };
}

const other = z.strictObject({ name: z.string() }).meta({ id: "Thing" });

test.each<[string, Route[], string]>([
  ["a route without a description", [{ ...row("/v1/a", {}), about: null }], "POST /v1/a has no description"],
  [
    "two operations with one id",
    [row("/v1/a", { id: "same" }), row("/v1/b", { id: "same" })],
    "two operations have the id same",
  ],
  [
    "two schemas with one id",
    [row("/v1/a", {}), row("/v1/b", { responses: { 200: page(other) } })],
    "two different schemas have the id Thing",
  ],
  [
    "a body that a function validates, without a schema",
    [row("/v1/a", { id: "makeThing" }, { body: (json) => json })],
    "makeThing has a body that only a function knows",
  ],
])("refuses %s", (_what, routes, message) => {
  expect(() => openApiDocument(routes, {}, "1.2.3")).toThrow(message);
});
