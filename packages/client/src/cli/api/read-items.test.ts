import { indented } from "./indented.ts";
import { readItems } from "./read-items.ts";

describe("the items of tradepost api", () => {
  test("are texts, JSON, parameters and headers", () => {
    const items = ["a=1", "b:=1.5", "note=x:=y", "q==x=y", 'If-Match:"2"', "time=12:30"];
    expect(readItems(items)).toEqual({
      headers: { "if-match": '"2"' },
      query: [["q", "x=y"]],
      body: { a: "1", b: 1.5, note: "x:=y", time: "12:30" },
      isList: false,
    });
    expect(readItems([]).body).toBeUndefined();
  });

  test("lead into lists and objects", () => {
    const items = ["items[0][sku]=A", "items[0][quantity]:=3", "items[1][sku]=B", "tags[]=x", "tags[]=y"];
    expect(readItems(items).body).toEqual({
      items: [{ sku: "A", quantity: 3 }, { sku: "B" }],
      tags: ["x", "y"],
    });
    expect(readItems(["[0][from]=/a", "[]:={}"])).toMatchObject({ body: [{ from: "/a" }, {}], isList: true });
    const { body } = readItems(["__proto__[polluted]=yes"]);
    expect([JSON.stringify(body), ({} as { polluted?: string }).polluted]).toEqual([
      '{"__proto__":{"polluted":"yes"}}',
      undefined,
    ]);
  });

  test.each([
    [["nothing"], "nothing: must be name=value"],
    [["=x"], "=x: must be name=value"],
    [["a:=no"], "a:=no: what follows := must be JSON."],
    [["a=1", "a[b]=2"], "a[b]=2: an earlier item makes this a value."],
    [["a[b]=1", "a[]=2"], "a[]=2: an earlier item makes this an object."],
    [["a[]=1", "a[b]=2"], "a[b]=2: an earlier item makes this a list."],
  ])("%j are refused: %s", (items, message) => {
    expect(() => readItems(items)).toThrow(message);
  });
});

test("JSON is indented with every digit, and without characters that a terminal interprets", () => {
  const json = '{"a":[],"b":{"c":1.00000000000000000001,"d":["x, {y}",null]},"e":"\u202e\u009b"}';
  expect(indented(json)).toBe(`{
  "a": [],
  "b": {
    "c": 1.00000000000000000001,
    "d": [
      "x, {y}",
      null
    ]
  },
  "e": "\\u202e\\u009b"
}`);
});
