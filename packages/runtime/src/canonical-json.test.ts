import { describe, expect, test } from "@jest/globals";
import { canonicalJson } from "./canonical-json.ts";
import { parseJson } from "./exact-json.ts";

describe("canonical JSON", () => {
  test("puts names in order and leaves lists as they are", () => {
    expect(canonicalJson(parseJson('{ "b": [3, {"z": 1, "a": null}], "a": {}, "10": [], "9": "x" }'))).toBe(
      '{"10":[],"9":"x","a":{},"b":[3,{"a":null,"z":1}]}',
    );
  });

  test("keeps every digit, and names that objects have by themselves", () => {
    const text = '{"__proto__":{"toString":12345678901234567890},"constructor":-1e400}';
    expect(canonicalJson(parseJson(text))).toBe(text);
  });

  test("is empty for no value at all", () => {
    expect(canonicalJson(undefined)).toBe("");
  });
});
