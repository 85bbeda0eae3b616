// The gateway's two cookies. One has a session's refresh secret, the other names the users who have signed in from this
// browser. Browsers send both only to /v1/auth, and scripts cannot read them. Cookies in a request of a page of another origin
// are ignored: `SameSite=Strict` keeps out other sites, but not other ports and subdomains of the same site.
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
// Several colleagues may share a browser. The user who signed in longest ago is dropped first.
const USERS_OF_DEVICE_MAX = 5;

export interface Cookies {
  /** The Set-Cookie headers that store the session. */
  setSession(session: OpenedSession): string[];
  /** The Set-Cookie headers that delete it: none for a page of another origin, which must not sign the user out. */
  clearSession(req: IncomingMessage): string[];
  /** The session in a request's cookie, or null if the cookie is missing or malformed. */
  readSession(req: IncomingMessage): OpenedSession | null;
  /** The Set-Cookie header that adds the user to those who have signed in from this browser. */
  setDevice(req: IncomingMessage, userId: string): string;
  /** True if the user has signed in from this browser before. */
  isKnownDevice(req: IncomingMessage, userId: string): boolean;
}

/**
 * `isSecure` gives the cookies the `Secure` attribute, so that browsers send them only over https, and a prefix to their names. If
 * there is no cookie with the prefix, one without it, from the previous release, is read; the next response deletes it.
 */
export function cookies(options: { isSecure: boolean; signingKeys: readonly SigningKey[] }): Cookies {
  const signer = signerFor("device cookie", options.signingKeys, SIGNATURE_BYTES);
  const prefix = options.isSecure ? SECURE_PREFIX : "";
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
  const read = (req: IncomingMessage, name: string) => {
    if (isOfOtherOrigin(req)) return "";
    const received = parseCookie(req.headers.cookie ?? "");
    return received[prefix + name] ?? received[name] ?? "";
  };
  /** Deletes the refresh cookie without the prefix: to the previous release its old secret would look stolen. */
  const deleteOld = () => (options.isSecure ? [write(REFRESH, "", 0)] : []);
  const usersOf = (req: IncomingMessage) =>
    read(req, DEVICE)
      .split("~", USERS_OF_DEVICE_MAX)
      .map((entry) => entry.split(".", 2))
      .filter(([user = "", signature = ""]) => signer.verify(user, Buffer.from(signature, "base64url")))
      .map(([user = ""]) => user);
  return {
    setSession: ({ id, refreshSecret }) => [
      write(prefix + REFRESH, `${id}.${refreshSecret}`, SESSION_DAYS),
      ...deleteOld(),
    ],
    clearSession: (req) => (isOfOtherOrigin(req) ? [] : [write(prefix + REFRESH, "", 0), ...deleteOld()]),
    readSession: (req) => {
      const [, id = "", refreshSecret = ""] = /^([\w-]+)\.([\w-]{43})$/.exec(read(req, REFRESH)) ?? [];
      return isUuid(id) ? { id, refreshSecret } : null;
    },
    setDevice: (req, userId) => {
      const others = usersOf(req).filter((other) => other !== userId);
      const users = [userId, ...others].slice(0, USERS_OF_DEVICE_MAX);
      return write(
        prefix + DEVICE,
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
