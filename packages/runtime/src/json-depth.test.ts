import { describe, expect, test } from "@jest/globals";
import { isNestedDeeper, JSON_DEPTH_MAX } from "./json-depth.ts";

describe("the depth of JSON", () => {
  test("is counted in lists and objects together", () => {
    expect(isNestedDeeper('{"a":[{"b":[]}]}', 4)).toBe(false);
    expect(isNestedDeeper('{"a":[{"b":[[]]}]}', 4)).toBe(true);
    expect(isNestedDeeper("[[],[],[]]", 2)).toBe(false);
  });

  test("does not count brackets in strings, whatever is escaped there", () => {
    expect(isNestedDeeper('["[[[[","\\"[[[[","\\\\"]', 1)).toBe(false);
    expect(isNestedDeeper('["\\\\",[1]]', 1)).toBe(true);
    expect(isNestedDeeper('["[[[[', 1)).toBe(false);
  });

  test("is bounded for bodies", () => {
    expect(isNestedDeeper("[".repeat(JSON_DEPTH_MAX))).toBe(false);
    expect(isNestedDeeper("[".repeat(JSON_DEPTH_MAX + 1))).toBe(true);
  });
});
