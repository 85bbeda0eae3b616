// The gateway's cookies: a session's refresh secret, the users who have signed in from this browser, and a sign-in that has begun at
// the provider, for /v1/auth only. The first two are ignored from pages of other origins: `SameSite=Strict` keeps out other sites,
// but not other ports and subdomains.
import type { IncomingMessage } from "node:http";
import { isUuid } from "@tradepost/http";
import { parseCookie, stringifySetCookie } from "cookie";
import type { SigningKey } from "../../config.ts";
import { signerFor } from "../signer.ts";
import { type OpenedSession, SESSION_DAYS } from "./session-store.ts";

// Accepted only over https. `__Host-` would send the cookie to every path.
const SECURE_PREFIX = "__Secure-";
const REFRESH = "tradepost_refresh";
const DEVICE = "tradepost_device";
const BEGUN = "tradepost_oidc";
const SECONDS_PER_DAY = 24 * 3_600;
// Browsers keep a cookie for at most 400 days.
const DEVICE_DAYS = 400;
const SIGNATURE_BYTES = 32;
// The user who signed in longest ago is dropped first.
const USERS_OF_DEVICE_MAX = 5;

/** `isSecure` adds `Secure` and a prefix. */
export function cookies(options: { isSecure: boolean; signingKeys: readonly SigningKey[] }) {
  const signer = signerFor("device cookie", options.signingKeys, SIGNATURE_BYTES);
  const prefix = options.isSecure ? SECURE_PREFIX : "";
  const write = (name: string, value: string, maxAge: number, sameSite: "strict" | "lax" = "strict") =>
    stringifySetCookie({
      name: prefix + name,
      value,
      maxAge,
      path: "/v1/auth",
      httpOnly: true,
      secure: options.isSecure,
      sameSite,
    });
  const readAny = (req: IncomingMessage, name: string) =>
    parseCookie(req.headers.cookie ?? "")[prefix + name] ?? "";
  const read = (req: IncomingMessage, name: string) => (isOfOtherOrigin(req) ? "" : readAny(req, name));
  const usersOf = (req: IncomingMessage) =>
    read(req, DEVICE)
      .split("~", USERS_OF_DEVICE_MAX)
      .map((entry) => entry.split(".", 2))
      .filter(([user = "", signature = ""]) => signer.verify(user, Buffer.from(signature, "base64url")))
      .map(([user = ""]) => user);
  return {
    setSession: ({ id, refreshSecret }: OpenedSession) =>
      write(REFRESH, `${id}.${refreshSecret}`, SESSION_DAYS * SECONDS_PER_DAY),
    /** Returns no cookie for a page of another origin, which must not sign the user out. */
    clearSession: (req: IncomingMessage) => (isOfOtherOrigin(req) ? [] : [write(REFRESH, "", 0)]),
    readSession: (req: IncomingMessage): OpenedSession | null => {
      const [, id = "", refreshSecret = ""] = /^([\w-]+)\.([\w-]{43})$/.exec(read(req, REFRESH)) ?? [];
      return isUuid(id) ? { id, refreshSecret } : null;
    },
    setDevice: (req: IncomingMessage, userId: string) => {
      const others = usersOf(req).filter((other) => other !== userId);
      const users = [userId, ...others].slice(0, USERS_OF_DEVICE_MAX);
      return write(
        DEVICE,
        users.map((user) => `${user}.${signer.sign(user).toString("base64url")}`).join("~"),
        DEVICE_DAYS * SECONDS_PER_DAY,
      );
    },
    isKnownDevice: (req: IncomingMessage, userId: string) => usersOf(req).includes(userId),
    /** `Lax`, because the provider, another site, sends the browser back. */
    setBegun: (value: string, seconds: number) => write(BEGUN, value, seconds, "lax"),
    readBegun: (req: IncomingMessage) => readAny(req, BEGUN),
    clearBegun: (req: IncomingMessage) => (readAny(req, BEGUN) === "" ? [] : [write(BEGUN, "", 0, "lax")]),
  };
}

/** Scripts cannot change this header, which browsers send to https and loopback. */
function isOfOtherOrigin(req: IncomingMessage): boolean {
  const site = req.headers["sec-fetch-site"];
  return site === "cross-site" || site === "same-site";
}
