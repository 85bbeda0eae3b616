import { canonicalJson } from "./canonical-json.ts";
import { parseJson } from "./exact-json.ts";
import { keepTexts } from "./verbatim-json.ts";

describe("canonical JSON", () => {
  test("sorts names and keeps the order of lists", () => {
    expect(canonicalJson(parseJson('{ "b": [3, {"z": 1, "a": null}], "a": {}, "10": [], "9": "x" }'))).toBe(
      '{"10":[],"9":"x","a":{},"b":[3,{"a":null,"z":1}]}',
    );
  });

  test("closes an object before what follows it", () => {
    const text = '[{"a":{"b":{"c":1},"d":2},"e":3},4]';
    expect(canonicalJson(parseJson(text))).toBe(text);
  });

  test("keeps every digit, and names that every object inherits", () => {
    const text = '{"__proto__":{"toString":12345678901234567890},"constructor":-1e400}';
    expect(canonicalJson(parseJson(text))).toBe(text);
  });

  test("is the same whether or not the texts of members are kept", () => {
    const text = '{"b":[{"z":2.50,"a":1}],"a":{"d":1,"c":{}}}';
    const json = parseJson(text);
    keepTexts(text, json, ["a", "b"]);
    expect(canonicalJson(json)).toBe(canonicalJson(parseJson(text)));
  });

  test("is the empty string for undefined", () => {
    expect(canonicalJson(undefined)).toBe("");
  });
});
