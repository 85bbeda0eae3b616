// The rights of roles, and when a token is replaced.
import { isAllowed } from "./roles.ts";
import { isStale, userOf } from "./token.ts";
import { msUntilSettled } from "./unsettled-refresh.ts";

const NOW = Date.parse("2026-11-23T12:00:00.000Z");

describe("a role", () => {
  const editor = { role: "editor", modules: ["crm"] } as const;

  test("may do what lower roles may", () => {
    expect(isAllowed(editor, { role: "viewer" })).toBe(true);
    expect(isAllowed(editor, { role: "admin" })).toBe(false);
  });
});

describe("a token", () => {
  const token = (expiresAt: string, payload: string) => ({ expiresAt, token: `x.${btoa(payload)}.x` });

  test("is replaced a minute before it expires", () => {
    expect(isStale(token("2026-11-23T12:01:00.000Z", "{}"), NOW)).toBe(true);
    expect(isStale(token("2026-11-23T12:01:01.000Z", "{}"), NOW)).toBe(false);
  });

  test("names its user", () => {
    expect(userOf(token("", '{"sub":"u-1"}'))).toBe("u-1");
    expect(userOf(token("", "not JSON"))).toBeUndefined();
  });
});

describe("a refresh of a page that is gone", () => {
  test.each([
    [null, 0],
    ["not a time", 0],
    [String(NOW), 2_000],
    [String(NOW - 1_500), 500],
    [String(NOW - 2_000), 0],
    [String(NOW + 60_000), 0],
  ])("that was sent at %s is waited for %d ms", (sentAt, ms) => {
    expect(msUntilSettled(sentAt, NOW)).toBe(ms);
  });
});
