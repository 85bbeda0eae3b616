import { expect, test } from "@jest/globals";
import { EXPIRED_LINK, SIGN_IN_FAILURES, signInSearch } from "./sign-in-failures.ts";

test.each([
  ["/orders?status=placed", { next: "/orders?status=placed" }],
  ["//evil.example/", {}],
  ["/\\evil.example/", {}],
  ["https://evil.example/", {}],
  ["/", {}],
  [7, {}],
  ["expired", { failure: "expired" }],
  ["not_invited", { failure: "not_invited" }],
])("after the sign-in, %s leads to an address of this site only", (next, search) => {
  expect(signInSearch({ next, failure: next })).toEqual(search);
});

test("each reason of a failed sign-in has a sentence of its own", () => {
  const texts = [...Object.values(SIGN_IN_FAILURES).map((text) => text("Corp")), EXPIRED_LINK];
  expect(new Set(texts.flat()).size).toBe(2 * texts.length);
});
