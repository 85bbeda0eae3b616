import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { cookies } from "./cookies.ts";

const key = (id: string) => ({ id, secret: randomBytes(32) });
const [older, newer] = [key("k1"), key("k2")];

function withCookie(setCookie: string): IncomingMessage {
  return { headers: { cookie: `a=b; ${setCookie.split(";", 1)[0]}; c=d` } } as IncomingMessage;
}
const noCookies = { headers: {} } as IncomingMessage;
const cookiesOf = (...signingKeys: ReturnType<typeof key>[]) => cookies({ isSecure: true, signingKeys });

describe("the device cookie", () => {
  const [user, stranger] = [randomUUID(), randomUUID()];

  test("is valid for its user only, and hidden from scripts and other sites", () => {
    const jar = cookiesOf(newer);
    const header = jar.setDevice(noCookies, user);
    expect(header).toMatch(/; Max-Age=34560000; Path=\/v1\/auth; HttpOnly; Secure; SameSite=Strict$/);
    expect(jar.isKnownDevice(withCookie(header), user)).toBe(true);
    expect(jar.isKnownDevice(withCookie(header), stranger)).toBe(false);
    expect(jar.isKnownDevice(noCookies, user)).toBe(false);
  });

  test("stays valid after a rotation of the signing keys while the old key is listed", () => {
    const header = cookiesOf(older).setDevice(noCookies, user);
    expect(cookiesOf(newer, older).isKnownDevice(withCookie(header), user)).toBe(true);
    expect(cookiesOf(newer).isKnownDevice(withCookie(header), user)).toBe(false);
  });

  test("cannot be forged, nor copied from another user or from a refresh secret", () => {
    const jar = cookiesOf(newer);
    const [value = ""] = jar.setDevice(noCookies, stranger).split(";");
    const signature = value.split(".")[1] ?? "";
    const bad = [
      `tradepost_device=${user}`,
      `tradepost_device=${user}.`,
      `tradepost_device=${user}.${signature}`,
      `tradepost_device=${user}.${signature.slice(0, -2)}`,
      `tradepost_device=${"~".repeat(8_000)}`,
      `tradepost_device=%E0%A4%A`,
    ];
    for (const cookie of bad) expect(jar.isKnownDevice(withCookie(cookie), user)).toBe(false);
  });

  test("remembers the last five users of a browser", () => {
    const jar = cookiesOf(newer);
    const users = Array.from({ length: 6 }, () => randomUUID());
    let header = "";
    for (const next of users) header = jar.setDevice(withCookie(header), next);
    header = jar.setDevice(withCookie(header), users[3] ?? "");
    const known = users.map((each) => jar.isKnownDevice(withCookie(header), each));
    expect(known).toEqual([false, ...Array(5).fill(true)]);
  });
});

const session = { id: randomUUID(), refreshSecret: randomBytes(32).toString("base64url") };

test("the session cookie is read as it was written, and a malformed one is ignored", () => {
  const jar = cookies({ isSecure: false, signingKeys: [newer] });
  const header = jar.setSession(session);
  expect(header).toMatch(/^tradepost_refresh=/);
  expect(header).not.toContain("Secure");
  expect(jar.setDevice(noCookies, session.id)).toMatch(
    /^tradepost_device=[^;]+; Max-Age=\d+; Path=\/v1\/auth; HttpOnly; SameSite=Strict$/,
  );
  expect(jar.readSession(withCookie(header))).toEqual(session);
  for (const bad of [
    "",
    "x",
    `${session.id}.`,
    `${session.id}.${"a".repeat(44)}`,
    `.${session.refreshSecret}`,
  ]) {
    expect(jar.readSession(withCookie(`tradepost_refresh=${bad}`))).toBeNull();
  }
});

test("over https the cookies have the prefix of secure ones, and those without it are ignored", () => {
  const jar = cookiesOf(newer);
  const header = jar.setSession(session);
  expect(header).toMatch(/^__Secure-tradepost_refresh=[^;]+; .*; Secure;/);
  expect(jar.setDevice(noCookies, session.id)).toMatch(/^__Secure-tradepost_device=/);
  expect(jar.readSession(withCookie(header))).toEqual(session);
  expect(jar.readSession(withCookie(header.replace("__Secure-", "")))).toBeNull();
  const both = { headers: { cookie: `tradepost_refresh=planted; ${header.split(";", 1)[0]}` } };
  expect(jar.readSession(both as IncomingMessage)).toEqual(session);
});
