import { describe, expect, test } from "@jest/globals";
import { AREAS } from "./areas.ts";
import { shortcutOf } from "./shortcuts.ts";

const press = (key: string, held: Partial<Parameters<typeof shortcutOf>[0]> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});
const ready = { isTaken: false, hasSingleKeys: true, isAfterGo: false };

describe("a key", () => {
  test.each([
    [press("/"), { what: "search" }],
    [press("?"), { what: "help" }],
    [press("j"), { what: "next row" }],
    [press("k"), { what: "previous row" }],
    [press("g"), { what: "go" }],
    [press("k", { ctrlKey: true }), { what: "search" }],
    [press("K", { metaKey: true }), { what: "search" }],
    [press("k", { ctrlKey: true, altKey: true }), undefined],
    [press("j", { ctrlKey: true }), undefined],
    [press("x"), undefined],
  ])("%j is %j", (pressed, shortcut) => {
    expect(shortcutOf(pressed, ready)).toEqual(shortcut);
  });

  test("after g opens an area, and each area has its own", () => {
    expect(shortcutOf(press("o"), { ...ready, isAfterGo: true })).toEqual({ what: "open", to: "/orders" });
    expect(shortcutOf(press("x"), { ...ready, isAfterGo: true })).toBeUndefined();
    expect(new Set(AREAS.map(({ key }) => key)).size).toBe(AREAS.length);
  });

  test("alone does nothing in a field, or if single keys are off; Ctrl-K does", () => {
    for (const situation of [
      { ...ready, isTaken: true },
      { ...ready, hasSingleKeys: false },
    ]) {
      expect(shortcutOf(press("/"), situation)).toBeUndefined();
      expect(shortcutOf(press("k", { ctrlKey: true }), situation)).toEqual({ what: "search" });
    }
  });
});
