import { changesOfPatch, mergePatch } from "./merge-patch.ts";

describe("a merge patch", () => {
  // The examples of RFC 7396, appendix A.
  test.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', "{}"],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', "null", "null"],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
    ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    [undefined, '{"a":null,"b":1}', '{"b":1}'],
  ])("changes %s by %s to %s", (target, patch, expected) => {
    expect(mergePatch(target, patch)).toBe(expected);
  });

  test("leaves the text of what it does not name, also of large numbers and odd names", () => {
    const target = '{ "a" : 12345678901234567890, "__proto__": {"x": 2.50 }, "\\u0062": -0}';
    expect(mergePatch(target, '{"__proto__":{"y":1.10},"c":null}')).toBe(
      '{"a":12345678901234567890,"__proto__":{"x":2.50,"y":1.10},"b":-0}',
    );
  });

  test("that changes nothing leaves the whole text", () => {
    const target = '{ "a": {"b": 1}, "c": [ ] }';
    expect(mergePatch(target, '{"a":{"b":1,"d":null}}')).toBe(target);
  });
});

describe("the changes of a merge patch", () => {
  const target = '{"name":"x","data":{"a":{"b":1,"c":2},"d":3}}';

  test("have the members that it names, each merged", () => {
    expect(changesOfPatch(target, '{"name":null,"data":{"a":{"b":null}}}', 1)).toBe(
      '{"name":null,"data":{"a":{"c":2},"d":3}}',
    );
  });

  test("have only the named members on each of two levels", () => {
    expect(changesOfPatch(target, '{"data":{"a":{"b":null},"d":null}}', 2)).toBe(
      '{"data":{"a":{"c":2},"d":null}}',
    );
    expect(changesOfPatch(undefined, '{"data":{"a":{"b":null}}}', 2)).toBe('{"data":{"a":{}}}');
    expect(changesOfPatch(target, "[1]", 2)).toBe("[1]");
  });
});
