import { expect, test } from "@jest/globals";
import { signInSearch } from "./sign-in-failures.ts";

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
