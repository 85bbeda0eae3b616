import { elementTexts, memberNames, memberTexts } from "./member-texts.ts";

test("splits an object or a list into the texts of its members or elements", () => {
  const text = ' { "status" : 201 ,"headers":{"etag":"\\"1\\""}, "body":{"a":"}"},"list":[[1] , 2],"n":null}';
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
  expect(elementTexts('[ {"a":[1, 2]} ,"]" , 3]')).toEqual(['{"a":[1, 2]}', '"]"', "3"]);
  expect(elementTexts("[ ]")).toEqual([]);
});
