// The promise of "verbatim" down to the digit.
import { describe, expect, test } from "@jest/globals";
import { parseJson } from "./exact-json.ts";

describe("exact JSON", () => {
  test.each([
    '{"id":12345678901234567890}',
    '{"pi":3.14159265358979323846264338327950288}',
    '{"tiny":1e-400,"huge":1e400}',
    '{"plain":[1,2.5,-3,0,true,null,"1e5"]}',
  ])("writes %s back as it came", (text) => {
    expect(JSON.stringify(parseJson(text))).toBe(text);
  });

  test("leaves numbers that a double holds as numbers", () => {
    expect(parseJson('{"a":99999999999.9999,"b":1e3,"c":1.50000000000000000,"d":-0.0}')).toEqual({
      a: 99999999999.9999,
      b: 1000,
      c: 1.5,
      d: -0,
    });
  });
});
