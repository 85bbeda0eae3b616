import { readRedirects } from "./read-redirects.ts";

test.each([
  ["/a\t/b\n/c\thttps://other.example\n"],
  ["from,to\n/a,/b\n/c,https://other.example\n"],
  ["Old;New\r\n/a;/b\r\n\r\n/c;https://other.example"],
])("%j are two redirects", (text) => {
  const { redirects, refused } = readRedirects(text);
  expect(redirects.map(({ from, to }) => [from, to])).toEqual([
    ["/a", "/b"],
    ["/c", "https://other.example"],
  ]);
  expect(refused).toEqual([]);
});

test("the third column is the kind", () => {
  expect(readRedirects("/a,/b,308\n/c,/d,").redirects).toEqual([
    { line: 1, from: "/a", to: "/b", type: 308 },
    { line: 2, from: "/c", to: "/d" },
  ]);
});

test("each line at fault is named, before anything is sent", () => {
  const text = "/a,/b\nb,/c\n/d?x,/e\n/f,ftp://x\n/a,/z\n/g,/h,303\n/i,//evil";
  const { redirects, refused } = readRedirects(text);
  expect(redirects).toHaveLength(1);
  expect(refused.map(({ line, message }) => [line, message.split(" ", 2).join(" ")])).toEqual([
    [2, "From must"],
    [3, "From must"],
    [4, "To must"],
    [5, "Line 1"],
    [6, "The kind"],
    [7, "To must"],
  ]);
  expect(readRedirects("only one column").refused).toHaveLength(1);
});
