// Staff users, set-up links and sessions in the API description. Pure.
import { roles } from "@tradepost/http";
import { z } from "zod";

export const user = z
  .strictObject({
    id: z.uuid(),
    email: z
      .string()
      .describe("In lower case. On the whole platform it belongs to the user who confirms it first"),
    name: z.string(),
    role: z.enum(roles),
    active: z.boolean().describe("A user who is not active cannot sign in"),
    createdAt: z.iso.datetime(),
    state: z
      .enum(["invited", "active", "inactive"])
      .describe("`invited` until the user has signed in or set a password with a set-up link"),
    secondFactor: z.boolean().describe("Whether a sign-in needs a code besides the password"),
    lastSignInAt: z.iso.datetime().nullish().describe("Only in the list: null before the first sign-in"),
  })
  .meta({ id: "User", description: "A staff user of the tenant." });

export const setupLink = z
  .strictObject({
    token: z
      .string()
      .nullable()
      .describe("For `POST /v1/auth/setup`. No other response shows it: in a replayed one it is null."),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "SetupLink", description: "A one-time link with which a user sets a password, for 24 hours." });

const session = z.strictObject({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().describe("The time of the latest refresh, or of the sign-in"),
  expiresAt: z.iso.datetime(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
});

export const userSession = session.meta({ id: "UserSession", description: "An open session of a user." });

export const mySession = session
  .extend({ current: z.boolean().describe("True for the session of this request") })
  .meta({ id: "MySession", description: "An open session of the caller." });

export const endedSessions = z.strictObject({
  endedSessions: z.int().min(0).describe("The number of sessions that ended"),
});
