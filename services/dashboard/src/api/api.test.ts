// How screens form requests and present the platform's errors.
import { curlOf } from "./curl.ts";
import { explain, failureOfResponse, fieldErrors, withoutResponse } from "./failure.ts";

const ORIGIN = "https://shop.example.com";

describe("the faults of an error", () => {
  test("go to their fields, also those inside a list, and the rest is kept", () => {
    const faults = fieldErrors(
      [
        { path: "label", message: "must not be empty" },
        { path: "scopes[1]", message: "must be one of a, b" },
        { path: "scopes", message: "must not repeat a scope" },
        { path: "labels", message: "is unknown" },
      ],
      ["label", "scopes"],
    );
    expect(faults).toEqual({
      byField: { label: "Must not be empty.", scopes: "Must be one of a, b. Must not repeat a scope." },
      rest: [{ path: "labels", message: "is unknown" }],
    });
  });
});

describe("a failure", () => {
  const failure = (status: number, error: unknown, headers = {}) =>
    failureOfResponse(status, new Headers(headers), { success: false, error });

  test("has the platform's words, and says what to do", () => {
    const conflict = failure(409, { code: "key_revoked", message: "The key is revoked", requestId: "r-1" });
    expect(conflict).toMatchObject({ code: "key_revoked", requestId: "r-1", isTransient: false });
    expect(explain(conflict)).toEqual({
      title: "This has changed in the meantime",
      text: "The key is revoked.",
      isStale: true,
    });
    expect(explain(failure(403, { code: "module_disabled", message: "x" })).title).toBe(
      "This module is not active",
    );
    expect(explain(failure(409, { code: "quota_exceeded", message: "Delete some" }))).toEqual({
      ...{ title: "The shop's quota is used up", text: "Delete some.", isStale: false },
    });
    expect(explain(failure(403, { code: "tenant_suspended", message: "x" })).title).toBe(
      "This shop is suspended",
    );
    expect(explain(failure(412, { code: "version_mismatch", message: "x" })).isStale).toBe(true);
  });

  test("may end by itself if there was no response, or one that says when", () => {
    expect(withoutResponse()).toMatchObject({ status: 0, isTransient: true });
    expect(failure(429, { code: "rate_limited", message: "x" }, { "retry-after": "7" })).toMatchObject({
      retryAfterSeconds: 7,
      isTransient: true,
    });
    expect(failureOfResponse(502, new Headers({ "x-request-id": "r-2" }), undefined)).toMatchObject({
      code: "invalid_response",
      requestId: "r-2",
      details: [],
    });
  });
});

describe("the request behind a screen", () => {
  test("is a command with the path, the query and the body, and no credential", () => {
    expect(curlOf("listApiKeys", { query: { limit: 100 } }, ORIGIN)).toBe(
      `curl -sS '${ORIGIN}/v1/api-keys?limit=100' \\\n  -H "Authorization: Bearer $TRADEPOST_TOKEN"`,
    );
    const input = { path: { id: "a/b" }, body: { label: "Ada's" } };
    const lines = curlOf("updateApiKey", input, ORIGIN).split(" \\\n  ");
    expect(lines[0]).toBe(`curl -sS -X PATCH '${ORIGIN}/v1/api-keys/a%2Fb'`);
    expect(lines.at(-1)).toBe(`-d '{"label":"Ada'\\''s"}'`);
  });
});
