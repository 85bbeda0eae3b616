import { describe, expect, test } from "@jest/globals";
import { blocksOf, inlinesOf } from "./markdown.ts";

const text = (value: string) => ({ kind: "text", text: value });

describe("the preview of a text", () => {
  test("has its blocks", () => {
    const markdown = [
      "# Brew *well*",
      "Water first,",
      "then patience.",
      "",
      "- one",
      "* two",
      "3. three",
      "> quiet",
      "---",
      "```js",
      "# not a heading",
      "```",
      "after",
    ].join("\n");
    expect(blocksOf(markdown)).toEqual([
      { kind: "heading", level: 1, parts: [text("Brew "), { kind: "emphasis", text: "well" }] },
      { kind: "paragraph", parts: [text("Water first,\nthen patience.")] },
      { kind: "list", isOrdered: false, items: [[text("one")], [text("two")]] },
      { kind: "list", isOrdered: true, items: [[text("three")]] },
      { kind: "quote", parts: [text("quiet")] },
      { kind: "rule" },
      { kind: "code", text: "# not a heading" },
      { kind: "paragraph", parts: [text("after")] },
    ]);
  });

  test.each([
    ["## Tea ##", "Tea"],
    ["# Tea #  ", "Tea"],
    ["# C#", "C#"],
    ["# #", "#"],
    [" ### #1  ", "#1"],
  ])("%j has the heading %j", (markdown, title) =>
    expect(blocksOf(markdown)).toMatchObject([{ kind: "heading", parts: [text(title)] }]),
  );

  // Each takes minutes if its pattern is quadratic.
  test.each([
    ["# a", " ", "x"],
    ["# a", " #", "x"],
    ["# ", " ", "\u2028x"],
    ["- ", " ", "\u2028x"],
    ["1. ", " ", "\rx"],
    ["", "- ", "x"],
    ["[a](", "[", ""],
    ["**", "_a ", "*"],
  ])("a line of %j, many %j and %j is read", (start, part, end) =>
    expect(blocksOf(`${start}${part.repeat(200_000)}${end}`)).toHaveLength(1),
  );

  test("has code up to the end if nothing closes it", () =>
    expect(blocksOf("~~~\na\nb")).toEqual([{ kind: "code", text: "a\nb" }]));

  test.each([
    ["", []],
    ["**bold** `a*b*c`", [{ kind: "strong", text: "bold" }, text(" "), { kind: "code", text: "a*b*c" }]],
    ["snake_case_name and 2*3*4", [text("snake_case_name and 2*3*4")]],
    ["[shop](https://a.example/b)", [{ kind: "link", text: "shop", href: "https://a.example/b" }]],
    ["![](/p.png)", [{ kind: "link", text: "/p.png", href: "/p.png" }]],
    ["[x](javascript:alert(1))", [text("[x](javascript:alert(1))")]],
    ["[x](//evil.example)", [text("[x](//evil.example)")]],
    ["<img src=x onerror=alert(1)>", [text("<img src=x onerror=alert(1)>")]],
    ["**", [text("**")]],
  ])("%j is read", (markdown, parts) => expect(inlinesOf(markdown)).toEqual(parts));

  test("loses nothing, whatever is written", () => {
    for (const markdown of ["#", "# ", ">", "- ", "1.", "***", "* * x", "[](", "```", "_ _"])
      expect(blocksOf(markdown)).toHaveLength(1);
  });
});
