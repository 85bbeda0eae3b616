// The address of the audit log, and its entries in words.
import { describe, expect, test } from "@jest/globals";
import { auditLogSearch } from "./search.ts";
import { changesOf, textOfAction } from "./words.ts";

const ID = "0198c5a2-0000-7000-8000-000000000001";

describe("the address of the audit log", () => {
  test("keeps filters that the platform knows", () => {
    const search = { action: "user.created", actorId: ID, targetId: "crm", from: "2026-11-23T13:05:00.000Z" };
    expect(auditLogSearch(search)).toEqual(search);
  });

  test("drops what it does not know, so that every address works", () => {
    expect(
      auditLogSearch({
        action: "user.painted",
        actorId: "",
        from: 5,
        to: "soon",
        x: 1,
      }),
    ).toEqual({});
    expect(auditLogSearch({ targetId: 4711 })).toEqual({ targetId: "4711" });
    expect(auditLogSearch({ targetId: "x".repeat(101) })).toEqual({ targetId: "x".repeat(100) });
  });
});

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
    expect(textOfAction("auth.login").text).toBe("Signed in");
    expect(textOfAction("shop.painted").text).toBe("shop.painted");
  });
});
