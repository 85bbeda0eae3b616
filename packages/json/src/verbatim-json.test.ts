import fc from "fast-check";
import { keepTexts, ReceivedJson, VerbatimJson, writeJson } from "./verbatim-json.ts";

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
  test("keeps the texts of members, and writes them unchanged", () => {
    fc.assert(
      fc.property(object, value, space, (first, second, gap) => {
        const text = `{"metadata":{"old":1},${gap}"x":[{"metadata":7}],"metadata":${first},${gap}"a" :${gap}${second}${gap}}`;
        const json = JSON.parse(text);
        keepTexts(text, json, ["metadata", "a", "missing"]);
        const isObject = typeof JSON.parse(second) === "object" && second !== "null";
        expect(json).toStrictEqual({
          metadata: new ReceivedJson(first, JSON.parse(first)),
          x: [{ metadata: 7 }],
          a: isObject ? new ReceivedJson(second, JSON.parse(second)) : JSON.parse(second),
        });
        const [metadata, other] = [new VerbatimJson(first), new VerbatimJson(second)];
        const written = writeJson({ a: "$&", orders: [{ metadata }, 5, other, undefined], metadata });
        expect(written).toBe(
          `{"a":"$&","orders":[{"metadata":${first}},5,${second},null],"metadata":${first}}`,
        );
      }),
    );
  });

  test("follows JSON.parse where a name occurs twice or is escaped", () => {
    const cases: [string, string | undefined][] = [
      ['{"metadata":{"a":1},"metadata":{"a":2}}', '{"a":2}'],
      ['{"metadata":{"a":1},"meta\\u0064ata":{"a":2.0}}', '{"a":2.0}'],
      ['{"metadata":{"a":1},"metadata":null}', undefined],
      ['{"meta\\u0064ata":{"a":1.0}}', '{"a":1.0}'],
      ['{"a":{"metadata":{"b":1}}}', undefined],
      ['["metadata"]', undefined],
    ];
    for (const [text, expected] of cases) {
      const json = JSON.parse(text);
      keepTexts(text, json, ["metadata"]);
      expect([text, json.metadata?.text]).toEqual([text, expected]);
    }
  });

  test("is an equal value for JSON.stringify, and does not touch texts that look like marks", () => {
    const json = new VerbatimJson('{"b": 2.50,"1":"x"}');
    expect(JSON.stringify({ json })).toBe('{"json":{"1":"x","b":2.5}}');
    expect(writeJson({ text: "verbatim 0", json })).toBe('{"text":"verbatim 0","json":{"b": 2.50,"1":"x"}}');
    expect(writeJson({ a: 1, b: undefined })).toBe('{"a":1}');
    expect(writeJson([json])).toBe('[{"b": 2.50,"1":"x"}]');
  });
});
