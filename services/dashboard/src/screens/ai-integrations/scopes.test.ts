import { expect, test } from "@jest/globals";
import { isSameSet, PRESETS, SCOPES } from "./scopes.ts";

test("whoever may write with a preset may also read", () => {
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
