// Redirects that follow what moves: one move, and several of which the later build on the earlier.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Move, redirectChanges, type StandingRedirect } from "./redirect-moves.ts";

/** "/a /b": from, to; its id is where it comes from. */
const standing = (...written: string[]): StandingRedirect[] =>
  written.map((text) => {
    const [from = "", to = ""] = text.split(" ");
    return { id: from, from, to, type: 302 };
  });
const moves = (...written: string[]): Move[] =>
  written.map((text) => {
    const [from = "", to = ""] = text.split(" ");
    return { from: from === "-" ? null : from, to };
  });
/** What stands after it, by where it comes from. */
function after(made: readonly Move[], before: readonly StandingRedirect[]): Record<string, string> {
  const { removed, added } = redirectChanges(made, before);
  const gone = new Set(removed.map(({ id }) => id));
  const kept = before.filter(({ id }) => !gone.has(id));
  return Object.fromEntries([...kept, ...added].map(({ from, to }) => [from, to]));
}

describe("redirects", () => {
  test.each<[string, Move[], StandingRedirect[], Record<string, string>]>([
    ["that would hide what is new go", moves("- /a"), standing("/a /b", "/c /b"), { "/c": "/b" }],
    ["lead from the old path", moves("/a /b"), [], { "/a": "/b" }],
    ["lead straight on", moves("/a /b"), standing("/x /a?q=1#top"), { "/x": "/b?q=1#top", "/a": "/b" }],
    ["from the old path stay", moves("/a /b"), standing("/a /c"), { "/a": "/c" }],
    ["to the same place by its other name go", moves("/a /b"), standing("/b /a"), { "/a": "/b" }],
    ["follow two moves", moves("/a /b", "/b /c"), standing("/x /a"), { "/x": "/c", "/a": "/c", "/b": "/c" }],
    ["are swapped with what they lead to", moves("/a /t", "/b /a", "/t /b"), [], { "/t": "/b" }],
  ])("%s", (_what, made, before, expected) => {
    expect(after(made, before)).toEqual(expected);
  });

  test("that take another's place name it, and those that came in between are not heard of", () => {
    const { removed, added } = redirectChanges(moves("/a /b", "/b /c"), standing("/x /a"));
    expect(removed).toEqual([{ id: "/x", move: 0 }]);
    expect(added).toContainEqual({ from: "/x", to: "/c", type: 302, move: 1, insteadOf: "/x" });
  });

  test("come out alike, moved one by one or together", () => {
    const path = fc.constantFrom<string[]>("/a", "/b", "/c", "/d", "/e");
    const move = fc.record({ from: fc.option(path), to: path }).filter(({ from, to }) => from !== to);
    const before = fc
      .uniqueArray(fc.tuple(path, path), { selector: ([from]) => from, maxLength: 4 })
      .map((pairs) => pairs.map(([from, to]) => ({ id: from, from, to, type: 301 })));
    fc.assert(
      fc.property(fc.array(move, { maxLength: 5 }), before, (made, redirects) => {
        const oneByOne = made.reduce(
          (stand, one) =>
            Object.entries(after([one], stand)).map(([from, to]) => ({ id: from, from, to, type: 301 })),
          redirects,
        );
        expect(after(made, redirects)).toEqual(
          Object.fromEntries(oneByOne.map(({ from, to }) => [from, to])),
        );
      }),
    );
  });
});
