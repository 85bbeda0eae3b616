import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  keepTexts,
  keptTextOf,
  memberNames,
  memberTexts,
  VerbatimJson,
  verbatim,
  writeJson,
} from "./verbatim-json.ts";

const space = fc.stringMatching(/^[ \t\n\r]{0,2}$/);
const scalar = fc.oneof(
  fc.constantFrom("2.50", "-0", "1E+400", "0.10000000000000000001", "12345678901234567890", "true", "null"),
  fc.constantFrom('"\\u0000"', '"\\ud800"', '"a\\"b\\\\"', '"}]{["', '"\\/"', '"$&"'),
  fc.string().map((text) => JSON.stringify(text)),
);
const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie("object"), listOf(tie("value"))),
  object: objectOf(fc.constantFrom('"a"', '"2"', '"1"', '"metadata"', '"__proto__"', '""'), tie("value")),
}));
const object = objectOf(fc.constantFrom('"z"', '"10"', '"9"', '"metadata"', '"\\u0061"'), value);

function listOf(element: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(element, { maxLength: 3 }), space)
    .map(([all, gap]) => `[${gap}${all.join(`,${gap}`)}]`);
}

function objectOf(name: fc.Arbitrary<string>, member: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(name, member), { maxLength: 4 }), space)
    .map(
      ([members, gap]) => `{${gap}${members.map(([n, v]) => `${n}${gap}:${gap}${v}`).join(`${gap},`)}${gap}}`,
    );
}

describe("verbatim JSON", () => {
  test("keeps the text of members, and of the members of a list's elements", () => {
    fc.assert(
      fc.property(object, object, object, space, (first, second, third, gap) => {
        const text = `{"metadata":{"old":1},${gap}"x":[{"metadata":7}],"metadata":${first},"orders":[${gap}{"metadata" :${second}} ,5,{"a":1,"metadata":${gap}${third}}]}`;
        const json = JSON.parse(text);
        keepTexts(text, json, { names: ["metadata"], ofList: "orders" });
        expect(keptTextOf(json.metadata)).toBe(first);
        expect(keptTextOf(json.orders[0].metadata)).toBe(second);
        expect(keptTextOf(json.orders[2].metadata)).toBe(third);
        expect(keptTextOf(json.orders[2])).toBeUndefined();
        const written = writeJson({
          a: "$&",
          orders: [{ metadata: verbatim(json.metadata) }, verbatim(json.orders[2].metadata)],
        });
        expect(written).toBe(`{"a":"$&","orders":[{"metadata":${first}},${third}]}`);
      }),
    );
  });

  test("follows JSON.parse where a name occurs twice or is escaped", () => {
    const cases: [string, string | undefined][] = [
      ['{"metadata":{"a":1},"metadata":{"a":2}}', '{"a":2}'],
      ['{"metadata":{"a":1},"meta\\u0064ata":{"a":2.0}}', '{"a":2.0}'],
      ['{"metadata":{"a":1},"metadata":null}', undefined],
      ['{"meta\\u0064ata":{"a":1}}', undefined],
      ['{"a":{"metadata":{"b":1}}}', undefined],
      ['["metadata"]', undefined],
    ];
    for (const [text, expected] of cases) {
      const json = JSON.parse(text);
      keepTexts(text, json, { names: ["metadata"] });
      expect([text, keptTextOf(json.metadata)]).toEqual([text, expected]);
    }
    const twice = '{"orders":[{"metadata":{"a":1}}],"orders":[{"metadata":{"a":2}},{}]}';
    const json = JSON.parse(twice);
    keepTexts(twice, json, { names: ["metadata"], ofList: "orders" });
    expect(json.orders.map((order: { metadata?: object }) => keptTextOf(order.metadata))).toEqual([
      '{"a":2}',
      undefined,
    ]);
  });

  test("splits an object into the texts of its members", () => {
    const text =
      ' { "status" : 201 ,"headers":{"etag":"\\"1\\""}, "body":{"a":"}"},"list":[[1] , 2],"n":null}';
    expect([...memberTexts(text)]).toEqual([
      ["status", "201"],
      ["headers", '{"etag":"\\"1\\""}'],
      ["body", '{"a":"}"}'],
      ["list", "[[1] , 2]"],
      ["n", "null"],
    ]);
    expect(memberNames('{"a":1,"b":{"a":2}, "\\u0061":3}')).toEqual(["a", "b", "a"]);
    expect(memberNames("[1]")).toEqual([]);
    expect(memberTexts("[1]").size).toBe(0);
    expect(memberTexts("{}").size).toBe(0);
  });

  test("is an equal value for JSON.stringify, and does not touch texts that look like marks", () => {
    const json = new VerbatimJson('{"b": 2.50,"1":"x"}');
    expect(JSON.stringify({ json })).toBe('{"json":{"1":"x","b":2.5}}');
    expect(writeJson({ text: "verbatim 0", json })).toBe('{"text":"verbatim 0","json":{"b": 2.50,"1":"x"}}');
    expect(writeJson({ a: 1, b: undefined })).toBe('{"a":1}');
  });
});
