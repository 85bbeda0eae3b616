// How redirects change for one move, and for several moves that build on each other.
import fc from "fast-check";
import { type ExistingRedirect, type Move, planRedirectChanges } from "./plan-redirect-changes.ts";

/** "/a /b" is a redirect from /a to /b. Its id is its path. */
const existing = (...texts: string[]): ExistingRedirect[] =>
  texts.map((text) => {
    const [from = "", to = ""] = text.split(" ");
    return { id: from, from, to, type: 302 };
  });
/** "/a /b" moves an entry from /a to /b; "- /b" publishes a new one at /b. */
const moves = (...texts: string[]): Move[] =>
  texts.map((text) => {
    const [from = "", to = ""] = text.split(" ");
    return { from: from === "-" ? null : from, to };
  });
/** The redirects after the moves: each path with its target. */
function after(made: readonly Move[], before: readonly ExistingRedirect[]): Record<string, string> {
  const { removed, added } = planRedirectChanges(made, before);
  const removedIds = new Set(removed.map(({ id }) => id));
  const unchanged = before.filter(({ id }) => !removedIds.has(id));
  return Object.fromEntries([...unchanged, ...added].map(({ from, to }) => [from, to]));
}

describe("the plan", () => {
  test.each<[string, Move[], ExistingRedirect[], Record<string, string>]>([
    ["removes a redirect from the new path", moves("- /a"), existing("/a /b", "/c /b"), { "/c": "/b" }],
    ["adds a redirect from the old path", moves("/a /b"), [], { "/a": "/b" }],
    [
      "retargets redirects to the old path",
      moves("/a /b"),
      existing("/x /a?q=1#top"),
      { "/x": "/b?q=1#top", "/a": "/b" },
    ],
    ["keeps a redirect from the old path", moves("/a /b"), existing("/a /c"), { "/a": "/c" }],
    ["removes a redirect from the new to the old path", moves("/a /b"), existing("/b /a"), { "/a": "/b" }],
    [
      "follows two moves in a row",
      moves("/a /b", "/b /c"),
      existing("/x /a"),
      { "/x": "/c", "/a": "/c", "/b": "/c" },
    ],
    ["follows two entries that swap their paths", moves("/a /t", "/b /a", "/t /b"), [], { "/t": "/b" }],
  ])("%s", (_what, made, before, expected) => {
    expect(after(made, before)).toEqual(expected);
  });

  test("names the existing redirect that a new one replaces, and omits those between two moves", () => {
    const { removed, added } = planRedirectChanges(moves("/a /b", "/b /c"), existing("/x /a"));
    expect(removed).toEqual([{ id: "/x", move: 0 }]);
    expect(added).toContainEqual({ from: "/x", to: "/c", type: 302, move: 1, replaces: "/x" });
  });

  test("is the same whether the moves are planned one by one or together", () => {
    const path = fc.constantFrom<string[]>("/a", "/b", "/c", "/d", "/e");
    const move = fc.record({ from: fc.option(path), to: path }).filter(({ from, to }) => from !== to);
    const before = fc
      .uniqueArray(fc.tuple(path, path), { selector: ([from]) => from, maxLength: 4 })
      .map((pairs) => pairs.map(([from, to]) => ({ id: from, from, to, type: 301 })));
    fc.assert(
      fc.property(fc.array(move, { maxLength: 5 }), before, (made, redirects) => {
        const oneByOne = made.reduce(
          (current, one) =>
            Object.entries(after([one], current)).map(([from, to]) => ({ id: from, from, to, type: 301 })),
          redirects,
        );
        expect(after(made, redirects)).toEqual(
          Object.fromEntries(oneByOne.map(({ from, to }) => [from, to])),
        );
      }),
    );
  });
});
