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
    [press("/"), "search"],
    [press("?"), "help"],
    [press("j"), "next row"],
    [press("k"), "previous row"],
    [press("g"), "go"],
    [press("k", { ctrlKey: true }), "search"],
    [press("K", { metaKey: true }), "search"],
    [press("k", { ctrlKey: true, altKey: true }), undefined],
    [press("j", { ctrlKey: true }), undefined],
    [press("x"), undefined],
  ])("%j is %j", (pressed, shortcut) => {
    expect(shortcutOf(pressed, ready)).toBe(shortcut);
  });

  test("after g opens an area, and each area has its own", () => {
    expect(shortcutOf(press("o"), { ...ready, isAfterGo: true })).toBe("/orders");
    expect(shortcutOf(press("x"), { ...ready, isAfterGo: true })).toBeUndefined();
    expect(new Set(AREAS.map(({ key }) => key)).size).toBe(AREAS.length);
  });

  test("alone does nothing in a field, or if single keys are off; Ctrl-K does", () => {
    for (const situation of [
      { ...ready, isTaken: true },
      { ...ready, hasSingleKeys: false },
    ]) {
      expect(shortcutOf(press("/"), situation)).toBeUndefined();
      expect(shortcutOf(press("k", { ctrlKey: true }), situation)).toBe("search");
    }
  });
});
