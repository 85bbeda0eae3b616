import { isNestedDeeper, JSON_DEPTH_MAX } from "./json-depth.ts";

describe("isNestedDeeper", () => {
  test("counts lists and objects together", () => {
    expect(isNestedDeeper('{"a":[{"b":[]}]}', 4)).toBe(false);
    expect(isNestedDeeper('{"a":[{"b":[[]]}]}', 4)).toBe(true);
    expect(isNestedDeeper("[[],[],[]]", 2)).toBe(false);
  });

  test("ignores brackets in strings, also after escapes", () => {
    expect(isNestedDeeper('["[[[[","\\"[[[[","\\\\"]', 1)).toBe(false);
    expect(isNestedDeeper('["\\\\",[1]]', 1)).toBe(true);
    expect(isNestedDeeper('["[[[[', 1)).toBe(false);
  });

  test("uses JSON_DEPTH_MAX by default", () => {
    expect(isNestedDeeper("[".repeat(JSON_DEPTH_MAX))).toBe(false);
    expect(isNestedDeeper("[".repeat(JSON_DEPTH_MAX + 1))).toBe(true);
  });
});
