import { describe, expect, test } from "@jest/globals";
import { type About, data, ok, type Route } from "@tradepost/http";
import { z } from "zod";
import type { DescribedRoute } from "./described-route.ts";
import { errorsOf } from "./errors.ts";
import { failuresOf } from "./responses.ts";

const ABOUT: About = {
  id: "getThing",
  tag: "Orders",
  summary: "Get a thing",
  responses: { 200: data(z.null()) },
};
const ROW: Route = {
  method: "GET",
  path: "/v1/things",
  module: null,
  role: "viewer",
  scope: null,
  about: ABOUT,
  handle: () => ok(null),
};

const described = (row: Partial<Route>, about: Partial<About> = {}) =>
  ({ ...ROW, ...row, about: { ...ABOUT, ...about } }) as DescribedRoute;
const codesOf = (row: Partial<Route>, about: Partial<About> = {}) =>
  errorsOf(described(row, about)).map(({ code }) => code);

describe("the errors of a route", () => {
  test("are those of every request, in the order of their statuses", () => {
    expect(codesOf({ role: "anyone" })).toEqual([
      "bad_request",
      "payload_too_large",
      "validation_error",
      "rate_limited",
      "internal_error",
      "upstream_unavailable",
      "service_unavailable",
      "upstream_timeout",
    ]);
  });

  test.each([
    ["a credential", {}, {}, ["unauthorized", "forbidden", "tenant_suspended", "second_factor_required"]],
    ["a module", { module: "crm" }, {}, ["module_disabled"]],
    ["a body", { method: "POST" }, {}, ["invalid_json", "unsupported_media_type"]],
    ["an Idempotency-Key", { isIdempotent: true }, {}, ["idempotency_key_reused"]],
    ["an id in the path", { path: "/v1/things/:id" }, {}, ["not_found"]],
    ["If-Match", {}, { ifMatch: true }, ["version_mismatch"]],
    ["its own rules", {}, { errors: ["conflict"] }, ["conflict"]],
  ] as const)("include those of %s", (_what, row, about, codes) => {
    const without = codesOf({ role: "anyone" });
    const added = codesOf(row as Partial<Route>, about).filter((code) => !without.includes(code));
    expect(added).toEqual(expect.arrayContaining([...codes]));
  });

  test("have a code once, with the fields of the route", () => {
    const fields = { orderId: z.uuid() };
    const errors = errorsOf(
      described({ path: "/v1/things/:id" }, { errors: [{ code: "not_found", fields }] }),
    );
    expect(errors.filter(({ code }) => code === "not_found")).toEqual([{ code: "not_found", fields }]);
  });
});

describe("the responses of failures", () => {
  const failures = (...errors: NonNullable<About["errors"]>) => {
    const shared = { schemas: {}, responses: {} as Record<string, unknown> };
    const byStatus = failuresOf(described({}, { errors }), shared);
    return { byStatus, shared };
  };
  const conflictOf = ({ byStatus, shared }: ReturnType<typeof failures>) => {
    const { $ref } = byStatus[409] as { $ref: string };
    const name = $ref.split("/").at(-1) ?? "";
    const { content } = shared.responses[name] as {
      content: { "application/json": { schema: { properties: { error: object } } } };
    };
    return { name, error: content["application/json"].schema.properties.error };
  };

  test("have one name for the codes of a status, and each code in an enum", () => {
    expect(conflictOf(failures("order_exists", "conflict"))).toMatchObject({
      name: "ConflictOrOrderExists",
      error: {
        properties: { code: { enum: ["order_exists", "conflict"] } },
        required: ["code", "message", "requestId"],
      },
    });
  });

  test("always have a field that every code has, and may have one of a single code", () => {
    const orderId = z.uuid();
    const both = failures(
      { code: "order_exists", fields: { orderId } },
      { code: "order_number_taken", fields: { orderId } },
    );
    expect(conflictOf(both).error).toMatchObject({ required: ["code", "message", "requestId", "orderId"] });
    const one = failures({ code: "order_exists", fields: { orderId } }, "conflict");
    expect(conflictOf(one).error).toMatchObject({
      properties: { orderId: { type: "string", format: "uuid" } },
      required: ["code", "message", "requestId"],
    });
  });

  test("have headers: when to retry, the credential, the current version", () => {
    const { shared } = failures("version_mismatch");
    const headersOf = (name: string) => Object.keys((shared.responses[name] as { headers: object }).headers);
    const limits = [
      "RateLimit",
      "RateLimit-Policy",
      "RateLimit-Limit",
      "RateLimit-Remaining",
      "RateLimit-Reset",
    ];
    expect(headersOf("RateLimited")).toEqual(["X-Request-Id", ...limits, "Retry-After"]);
    expect(headersOf("ServiceUnavailable")).toEqual(["X-Request-Id", "Retry-After"]);
    expect(headersOf("Unauthorized")).toEqual(["X-Request-Id", "WWW-Authenticate"]);
    expect(headersOf("VersionMismatch")).toEqual(["X-Request-Id", "ETag"]);
  });
});
