// The check of responses against the API description, which all tests run.
import { mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { newId } from "@tradepost/runtime";
import { ok } from "../src/api-response.ts";
import type { Route } from "../src/route.ts";

const file = path.join(mkdtempSync(path.join(os.tmpdir(), "responses-")), "responses.jsonl");
const row = {
  ...{ method: "GET", path: "/v1/redirects/:id" },
  about: { id: "getRedirect", tag: "Redirects", summary: "Get a redirect", responses: {} },
} as unknown as Route;
const redirect = { id: newId(), from: "/a", to: "/b", type: 301, createdAt: new Date(), version: 1 };

process.env.TRADEPOST_RESPONSES_FILE = file;
// Another test file of this process may have loaded the module. With a query it is loaded again.
const anew = new URL("../src/check-response.ts?anew", import.meta.url).href;
const { checkResponse: check } = await import(anew);

describe("a response", () => {
  test("that is as described passes and is recorded once", () => {
    check(row, ok(redirect));
    check(row, ok(redirect));
    expect(readFileSync(file, "utf8")).toBe('{"operation":"getRedirect","status":200}\n');
  });

  test.each<[string, Parameters<typeof check>[1]]>([
    ["with a further field", ok({ ...redirect, secret: "x" })],
    ["without a field", ok({ ...redirect, from: undefined })],
    ["with a value of another kind", ok({ ...redirect, type: 303 })],
    ["with another status", { ...ok(redirect), status: 202 }],
  ])("%s fails", (_, response) => {
    expect(() => check(row, response)).toThrow("not as docs/openapi.json describes it");
  });
});
