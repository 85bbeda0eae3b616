// docs/interface.md describes every route of the services and every error code of the API.
import { readFileSync } from "node:fs";
import path from "node:path";
import { routeTable as rows } from "@tradepost/api-description/route-table";
import { ROOT } from "@tradepost/devstack";

const page = readFileSync(path.join(ROOT, "docs/interface.md"), "utf8");

test("the interface page describes every route, and no other", () => {
  const described = page.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/v1\/[\w/{}.-]+)/g);
  const routes = rows.map((row) => `${row.method} ${row.path.replace(/:(\w+)/g, "{$1}")}`);
  expect(new Set([...described].map(([, route]) => route))).toEqual(new Set(routes));
});

test("every POST honours Idempotency-Key, except sign-in, uploads and leases", () => {
  const others = rows.filter(({ method, isIdempotent }) => method === "POST" && isIdempotent !== true);
  expect(others.map((row) => row.path).sort()).toEqual([
    "/v1/auth/login",
    "/v1/auth/logout",
    "/v1/auth/refresh",
    "/v1/auth/revoke-key",
    "/v1/auth/second-factor",
    "/v1/auth/setup",
    "/v1/media",
    "/v1/webhooks/listeners/:id/lease",
  ]);
});

const source = readFileSync(path.join(ROOT, "packages/http/src/api-error.ts"), "utf8");
const codes = [...source.matchAll(/^ {2}(\w+): ([45]\d\d),$/gm)].map(([, code = "", status]) => ({
  code,
  status,
}));

test("the interface page names every error code", () => {
  expect(codes).toContainEqual({ code: "validation_error", status: "422" });
  expect(codes.filter(({ code }) => !page.includes(`\`${code}\``))).toEqual([]);
});

test("the interface page has a table of all named conflicts, and of nothing else", () => {
  const table =
    /\| code \| when \| also in `error` \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(page)?.[1] ?? "";
  const named = table.split("\n").flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)]);
  const conflicts = codes.filter(({ code, status }) => status === "409" && code !== "conflict");
  expect(named.map(([, code]) => code).sort()).toEqual(conflicts.map(({ code }) => code).sort());
});
