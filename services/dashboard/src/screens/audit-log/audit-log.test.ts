import { changesOf, textOfAction } from "./words.ts";

describe("an entry of the audit log", () => {
  test("has its changes as before and after", () => {
    expect(
      changesOf({
        role: { from: "viewer", to: "admin" },
        expiresAt: { from: null, to: "2026-11-23" },
        password: "changed",
      }),
    ).toEqual([
      { field: "Role", before: "viewer", after: "admin" },
      { field: "Expires at", before: "none", after: "2026-11-23" },
      { field: "Password", before: undefined, after: "changed" },
    ]);
  });

  test.each([
    [true, "yes"],
    [0, "0"],
    ["", "none"],
    [[], "none"],
    [["a", "b"], "a, b"],
    ["<b>x</b>", "<b>x</b>"],
    [{ id: 1 }, '{"id":1}'],
    [{ from: 1 }, '{"from":1}'],
  ])("has the value %j as “%s”", (value, text) => {
    expect(changesOf({ value })).toEqual([{ field: "Value", before: undefined, after: text }]);
  });

  test("of a later release is its own text", () => {
    expect(textOfAction("auth.login")).toBe("Signed in");
    expect(textOfAction("shop.painted")).toBe("shop.painted");
  });
});
