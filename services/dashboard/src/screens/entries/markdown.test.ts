import { blocksOf, type Part } from "./markdown.ts";

function html(part: Part): string {
  if (typeof part === "string") return part.replaceAll("<", "&lt;");
  const { tag, parts, attributes } = part;
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  const start = `<${tag}${written.join("")}>`;
  return parts === undefined ? start : `${start}${parts.map(html).join("")}</${tag}>`;
}

const shown = (markdown: string) => blocksOf(markdown).map(html).join("");
const heading = (level: number, html: string) =>
  `<p className="markdown-heading" data-level="${level}">${html}</p>`;
const link = (href: string, text: string) =>
  `<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`;

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
    expect(shown(markdown)).toBe(
      [
        heading(1, "Brew <em>well</em>"),
        "<p>Water first,\nthen patience.</p>",
        "<ul><li>one</li><li>two</li></ul>",
        "<ol><li>three</li></ol>",
        "<blockquote>quiet</blockquote>",
        "<hr>",
        "<pre><code># not a heading</code></pre>",
        "<p>after</p>",
      ].join(""),
    );
  });

  test.each([
    ["## Tea ##", heading(2, "Tea")],
    ["# Tea #  ", heading(1, "Tea")],
    ["# C#", heading(1, "C#")],
    ["# #", heading(1, "#")],
    [" ### #1  ", heading(3, "#1")],
    ["~~~\na\nb", "<pre><code>a\nb</code></pre>"],
    ["", ""],
    ["**bold** `a*b*c`", "<p><strong>bold</strong> <code>a*b*c</code></p>"],
    ["snake_case_name and 2*3*4", "<p>snake_case_name and 2*3*4</p>"],
    ["[shop](https://a.example/b)", `<p>${link("https://a.example/b", "shop")}</p>`],
    ["![](/p.png)", `<p>${link("/p.png", "/p.png")}</p>`],
    ["[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"],
    ["[x](//evil.example)", "<p>[x](//evil.example)</p>"],
    ["<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)></p>"],
    ["**", "<p>**</p>"],
  ])("%j is shown as %s", (markdown, html) => expect(shown(markdown)).toBe(html));

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
    ["", "**a** ", ""],
  ])("a line of %j, many %j and %j is read", (start, part, end) =>
    expect(blocksOf(`${start}${part.repeat(200_000)}${end}`)).toHaveLength(1),
  );

  test("loses nothing, whatever is written", () => {
    for (const markdown of ["#", "# ", ">", "- ", "1.", "***", "* * x", "[](", "```", "_ _"])
      expect(blocksOf(markdown)).toHaveLength(1);
  });
});
