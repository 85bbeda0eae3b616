// The normal form of paths, and the allowed targets.
import { describe, expect, test } from "@jest/globals";
import { isTarget, normalPath, targetPath } from "./redirect.ts";

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
    ["old", null],
    ["/old?x=1", null],
    ["/old#top", null],
    ["/o ld", null],
    ["https://site/old", null],
  ])("the path %s has the normal form %s", (path, normal) => {
    expect(normalPath(path)).toBe(normal);
  });

  test("a path has at most 2,048 characters, also in its normal form", () => {
    const longest = `/${"a".repeat(2_047)}`;
    expect(normalPath(longest)).toBe(longest);
    expect(normalPath(`${longest}a`)).toBeNull();
    expect(normalPath(`/${"é".repeat(400)}`)).toBeNull();
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

  test("a target on the same site has a path without query and fragment; a target on another site has none", () => {
    expect(targetPath("/new/?x=1#top")).toBe("/new");
    expect(targetPath("https://example.com/new")).toBeNull();
  });
});
