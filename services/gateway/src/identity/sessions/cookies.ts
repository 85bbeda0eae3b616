// The gateway's two cookies: a session's refresh secret, and the users who have signed in from this browser. Browsers send both
// only to /v1/auth. Those of pages of other origins are ignored: `SameSite=Strict` keeps out other sites, but not other ports and
// subdomains.
import type { IncomingMessage } from "node:http";
import { isUuid } from "@tradepost/http";
import { parseCookie, stringifySetCookie } from "cookie";
import type { SigningKey } from "../../config.ts";
import { signerFor } from "../signer.ts";
import { type OpenedSession, SESSION_DAYS } from "./session-store.ts";

// Browsers accept a cookie with this prefix only over https. `__Host-` would send the cookie to every path.
const SECURE_PREFIX = "__Secure-";
const REFRESH = "tradepost_refresh";
const DEVICE = "tradepost_device";
const SECONDS_PER_DAY = 24 * 3_600;
// Browsers keep a cookie for at most 400 days.
const DEVICE_DAYS = 400;
const SIGNATURE_BYTES = 32;
// The user who signed in longest ago is dropped first.
const USERS_OF_DEVICE_MAX = 5;

export interface Cookies {
  setSession(session: OpenedSession): string;
  /** None for a page of another origin, which must not sign the user out. */
  clearSession(req: IncomingMessage): string[];
  /** Null if the cookie is missing or malformed. */
  readSession(req: IncomingMessage): OpenedSession | null;
  setDevice(req: IncomingMessage, userId: string): string;
  isKnownDevice(req: IncomingMessage, userId: string): boolean;
}

/** `isSecure` adds `Secure` and a prefix to the names. */
export function cookies(options: { isSecure: boolean; signingKeys: readonly SigningKey[] }): Cookies {
  const signer = signerFor("device cookie", options.signingKeys, SIGNATURE_BYTES);
  const prefix = options.isSecure ? SECURE_PREFIX : "";
  const write = (name: string, value: string, days: number) =>
    stringifySetCookie({
      name: prefix + name,
      value,
      maxAge: days * SECONDS_PER_DAY,
      path: "/v1/auth",
      httpOnly: true,
      secure: options.isSecure,
      sameSite: "strict",
    });
  const read = (req: IncomingMessage, name: string) => {
    if (isOfOtherOrigin(req)) return "";
    return parseCookie(req.headers.cookie ?? "")[prefix + name] ?? "";
  };
  const usersOf = (req: IncomingMessage) =>
    read(req, DEVICE)
      .split("~", USERS_OF_DEVICE_MAX)
      .map((entry) => entry.split(".", 2))
      .filter(([user = "", signature = ""]) => signer.verify(user, Buffer.from(signature, "base64url")))
      .map(([user = ""]) => user);
  return {
    setSession: ({ id, refreshSecret }) => write(REFRESH, `${id}.${refreshSecret}`, SESSION_DAYS),
    clearSession: (req) => (isOfOtherOrigin(req) ? [] : [write(REFRESH, "", 0)]),
    readSession: (req) => {
      const [, id = "", refreshSecret = ""] = /^([\w-]+)\.([\w-]{43})$/.exec(read(req, REFRESH)) ?? [];
      return isUuid(id) ? { id, refreshSecret } : null;
    },
    setDevice: (req, userId) => {
      const others = usersOf(req).filter((other) => other !== userId);
      const users = [userId, ...others].slice(0, USERS_OF_DEVICE_MAX);
      return write(
        DEVICE,
        users.map((user) => `${user}.${signer.sign(user).toString("base64url")}`).join("~"),
        DEVICE_DAYS,
      );
    },
    isKnownDevice: (req, userId) => usersOf(req).includes(userId),
  };
}

/** Browsers set this header on requests to https and to loopback, and scripts cannot change it. */
function isOfOtherOrigin(req: IncomingMessage): boolean {
  const site = req.headers["sec-fetch-site"];
  return site === "cross-site" || site === "same-site";
}
