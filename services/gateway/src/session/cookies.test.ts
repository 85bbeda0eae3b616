import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "@jest/globals";
import { cookies } from "./cookies.ts";

const key = (id: string) => ({ id, secret: randomBytes(32) });
const [older, newer] = [key("k1"), key("k2")];

function withCookie(setCookie: string): IncomingMessage {
  return { headers: { cookie: `a=b; ${setCookie.split(";", 1)[0]}; c=d` } } as IncomingMessage;
}
const nothing = { headers: {} } as IncomingMessage;
const cookiesOf = (...signingKeys: ReturnType<typeof key>[]) => cookies({ isSecure: true, signingKeys });

describe("the device cookie", () => {
  const [user, stranger] = [randomUUID(), randomUUID()];

  test("is known for its user only, and is out of scripts' and other sites' reach", () => {
    const made = cookiesOf(newer);
    const header = made.setDevice(nothing, user);
    expect(header).toMatch(/; Max-Age=34560000; Path=\/v1\/auth; HttpOnly; Secure; SameSite=Strict$/);
    expect(made.isDeviceOf(withCookie(header), user)).toBe(true);
    expect(made.isDeviceOf(withCookie(header), stranger)).toBe(false);
    expect(made.isDeviceOf(nothing, user)).toBe(false);
  });

  test("outlives a rotation of the signing keys while the old key is listed", () => {
    const header = cookiesOf(older).setDevice(nothing, user);
    expect(cookiesOf(newer, older).isDeviceOf(withCookie(header), user)).toBe(true);
    expect(cookiesOf(newer).isDeviceOf(withCookie(header), user)).toBe(false);
  });

  test("cannot be made up, nor taken from another user's or from a refresh secret", () => {
    const made = cookiesOf(newer);
    const [value = ""] = made.setDevice(nothing, stranger).split(";");
    const signature = value.split(".")[1] ?? "";
    const bad = [
      `tradepost_device=${user}`,
      `tradepost_device=${user}.`,
      `tradepost_device=${user}.${signature}`,
      `tradepost_device=${user}.${signature.slice(0, -2)}`,
      `tradepost_device=${"~".repeat(8_000)}`,
      `tradepost_device=%E0%A4%A`,
    ];
    for (const cookie of bad) expect(made.isDeviceOf(withCookie(cookie), user)).toBe(false);
  });

  test("remembers the last five users of a browser", () => {
    const made = cookiesOf(newer);
    const users = Array.from({ length: 6 }, () => randomUUID());
    let header = "";
    for (const next of users) header = made.setDevice(withCookie(header), next);
    header = made.setDevice(withCookie(header), users[3] ?? "");
    expect(users.map((each) => made.isDeviceOf(withCookie(header), each))).toEqual([
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
  });
});

test("the session's cookie is read as it was written, and a malformed one not at all", () => {
  const made = cookies({ isSecure: false, signingKeys: [newer] });
  const session = { id: randomUUID(), refreshSecret: randomBytes(32).toString("base64url") };
  const header = made.setSession(session);
  expect(header).not.toContain("Secure");
  expect(made.readSession(withCookie(header))).toEqual(session);
  for (const bad of [
    "",
    "x",
    `${session.id}.`,
    `${session.id}.${"a".repeat(44)}`,
    `.${session.refreshSecret}`,
  ]) {
    expect(made.readSession(withCookie(`tradepost_refresh=${bad}`))).toBeNull();
  }
});
