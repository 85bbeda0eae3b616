// The normal form of paths, and the allowed targets.
import { isTarget, normalPath, targetPath } from "./site-path.ts";

describe("a redirect", () => {
  test.each([
    ["/", "/"],
    ["/old", "/old"],
    ["/old/", "/old"],
    ["/old//", "/old"],
    ["/Old/Path", "/Old/Path"],
    ["/café", "/caf%C3%A9"],
    ["/caf%C3%A9", "/caf%C3%A9"],
    ["/a/../b", "/b"],
    ["//host/x", "//host/x"],
    ["//", "/"],
    ["/a//b", "/a//b"],
    ["/..", "/"],
    ["/../a/.", "/a"],
    ["/a/%2e%2e/b", "/b"],
    ["/a\\b", "/a/b"],
    ["/a b/ü", "/a%20b/%C3%BC"],
    [" /a b ", "/a%20b"],
    ["/a /", "/a%20"],
    ["/a\u00a0b", "/a%C2%A0b"],
    ["/o\u0085ld", "/o%C2%85ld"],
    ["/日本/😀", "/%E6%97%A5%E6%9C%AC/%F0%9F%98%80"],
    ['/"<>`{}^', "/%22%3C%3E%60%7B%7D%5E"],
    ["/|[]'!$&()*+,;:=@~_-.", "/%7C%5B%5D'!$&()*+,;:=@~_-."],
    ["/%7c%5b%5d%27%21%24", "/%7C%5B%5D%27%21%24"],
    ["/%7Euser", "/~user"],
    ["/%41%62%5f%2d%2E%39", "/Ab_-.9"],
    ["/caf%c3%a9", "/caf%C3%A9"],
    ["/w%C3%bcst", "/w%C3%BCst"],
    ["/a%2fb", "/a%2Fb"],
    ["/a%2f", "/a%2F"],
    ["/a%5cb", "/a%5Cb"],
    ["/%3F%23", "/%3F%23"],
    ["/%00%7f", "/%00%7F"],
    ["/a/%2E%2e/b/%2e", "/b"],
    ["/%zz/100%", "/%25zz/100%25"],
    ["/%2", "/%252"],
    ["/%2%65", "/%252e"],
    ["/%252e%252E", "/%252e%252E"],
    ["/%ff%c3", "/%FF%C3"],
    ["/%c0%af%C0%ae", "/%C0%AF%C0%AE"],
    ["/\ud800", "/%EF%BF%BD"],
    ["old", null],
    ["\\old", null],
    ["", null],
    [" ", null],
    ["/old?x=1", null],
    ["/old?", null],
    ["/old#top", null],
    ["/o\tld", null],
    ["/old\n", null],
    ["/o\u0000ld", null],
    ["/o\u007fld", null],
    ["https://site/old", null],
  ])("the path %j has the normal form %j", (path, normal) => {
    expect(normalPath(path)).toBe(normal);
    if (normal !== null) expect(normalPath(normal)).toBe(normal);
  });

  test("a path has at most 2,048 characters, also in its normal form", () => {
    const longest = `/${"a".repeat(2_047)}`;
    expect(normalPath(longest)).toBe(longest);
    expect(normalPath(`${longest}a`)).toBeNull();
    expect(normalPath(`/${"é".repeat(341)}`)?.length).toBe(2_047);
    expect(normalPath(`/${"é".repeat(342)}`)).toBeNull();
  });

  test.each(["/new", "/new?x=1#top", "https://example.com", "http://example.com/a?b"])(
    "allows the target %s",
    (to) => {
      expect(isTarget(to)).toBe(true);
    },
  );

  test.each([
    "new",
    "//evil.example",
    "/\\evil.example",
    "ftp://x",
    "javascript:alert(1)",
    "https://u:p@x",
    "/a\nb",
    "http:/x",
    "",
  ])("refuses the target %j", (to) => {
    expect(isTarget(to)).toBe(false);
  });

  test.each(["/a b/ü", "/a%20b/%c3%bc?x=%7E#%7E", "/a%20b/%C3%BC/", "/%61%20b/ü"])(
    "the target %s leads to the path /a%%20b/%%C3%%BC",
    (to) => {
      expect(targetPath(to)).toBe("/a%20b/%C3%BC");
    },
  );

  test("a target on the same site has a path without query and fragment; a target on another site has none", () => {
    expect(targetPath("/new/?x=1#top")).toBe("/new");
    expect(targetPath("https://example.com/new")).toBeNull();
  });
});
