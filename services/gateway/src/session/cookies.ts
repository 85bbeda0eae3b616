// The gateway's two cookies: one carries a session's refresh secret, the other names the users that have signed in from
// this browser. Browsers send both to /v1/auth only, and scripts cannot read them. Pure.
import type { IncomingMessage } from "node:http";
import { parseCookie, stringifySetCookie } from "cookie";
import type { SigningKey } from "../config.ts";
import { type OpenedSession, SESSION_DAYS } from "./session-store.ts";
import { signerFor } from "./signer.ts";

const REFRESH = "tradepost_refresh";
const DEVICE = "tradepost_device";
const SECONDS_PER_DAY = 24 * 3_600;
// Browsers keep no cookie for longer than 400 days.
const DEVICE_DAYS = 400;
const SIGNATURE_BYTES = 32;
// Colleagues who share a browser; the user who signed in longest ago is dropped first.
const USERS_OF_DEVICE_MAX = 5;

export interface Cookies {
  /** The Set-Cookie header that keeps the session. */
  setSession(session: OpenedSession): string;
  /** The Set-Cookie header that forgets it. */
  clearSession(): string;
  /** The session that a request's cookie names, or null if there is no well-formed one. */
  readSession(req: IncomingMessage): OpenedSession | null;
  /** The Set-Cookie header that adds the user to those who have signed in from the request's browser. */
  setDevice(req: IncomingMessage, userId: string): string;
  /** True if the request comes from a browser that has signed in as the user before. */
  isDeviceOf(req: IncomingMessage, userId: string): boolean;
}

/** In: whether browsers may send the cookies over https only, and the keys that sign. */
export function cookies(options: { isSecure: boolean; signingKeys: readonly SigningKey[] }): Cookies {
  const seal = signerFor("device cookie", options.signingKeys, SIGNATURE_BYTES);
  const write = (name: string, value: string, days: number) =>
    stringifySetCookie({
      name,
      value,
      maxAge: days * SECONDS_PER_DAY,
      path: "/v1/auth",
      httpOnly: true,
      secure: options.isSecure,
      sameSite: "strict",
    });
  const read = (req: IncomingMessage, name: string) => parseCookie(req.headers.cookie ?? "")[name] ?? "";
  const usersOf = (req: IncomingMessage) =>
    read(req, DEVICE)
      .split("~", USERS_OF_DEVICE_MAX)
      .map((entry) => entry.split(".", 2))
      .filter(([user = "", signature = ""]) => seal.isGenuine(user, Buffer.from(signature, "base64url")))
      .map(([user = ""]) => user);
  return {
    setSession: ({ id, refreshSecret }) => write(REFRESH, `${id}.${refreshSecret}`, SESSION_DAYS),
    clearSession: () => write(REFRESH, "", 0),
    readSession: (req) => {
      const [, id, refreshSecret] =
        /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/.exec(read(req, REFRESH)) ?? [];
      return id === undefined || refreshSecret === undefined ? null : { id, refreshSecret };
    },
    setDevice: (req, userId) => {
      const others = usersOf(req).filter((other) => other !== userId);
      const users = [userId, ...others].slice(0, USERS_OF_DEVICE_MAX);
      return write(
        DEVICE,
        users.map((user) => `${user}.${seal.sign(user).toString("base64url")}`).join("~"),
        DEVICE_DAYS,
      );
    },
    isDeviceOf: (req, userId) => usersOf(req).includes(userId),
  };
}
