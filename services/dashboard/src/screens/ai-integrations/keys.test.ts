import { choicesToShorten, expiresAtOf, isSameSet, PRESETS, SCOPES } from "./keys.ts";

const NOW = Date.parse("2026-11-23T12:00:00.000Z");

describe("the expiry of a key", () => {
  test.each([
    ["never", "", null],
    ["30", "", "2026-12-23T12:00:00.000Z"],
    ["date", "not a date", null],
  ])("of the choice %s %s is %s", (choice, date, expiresAt) => {
    expect(expiresAtOf(choice, date, NOW)).toBe(expiresAt);
  });

  test("is never offered later than it is", () => {
    const values = (expiresAt: string | null) => choicesToShorten(expiresAt, NOW).map(({ value }) => value);
    expect(values(null)).toEqual(["same", "1", "7", "30", "90", "365", "date"]);
    expect(values("2026-12-01T12:00:00.000Z")).toEqual(["same", "1", "7", "date"]);
    expect(values("2026-11-23T13:00:00.000Z")).toEqual(["same", "date"]);
  });
});

test("a preset with a write scope has its read scope", () => {
  for (const { scopes } of PRESETS)
    for (const scope of scopes) expect(scopes).toContain(scope.replace(/^write:(crm|content).*/, "read:$1"));
  expect(PRESETS.at(-1)?.scopes).toEqual(SCOPES.map(({ scope }) => scope));
});

test.each([
  [["read:crm", "write:crm"], ["write:crm", "read:crm"], true],
  [["read:crm"], ["read:crm", "write:crm"], false],
  [[], [], true],
] as const)("%j and %j are the same set: %s", (one, other, result) =>
  expect(isSameSet(one, other)).toBe(result),
);
