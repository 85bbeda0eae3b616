// Describes the operations without a credential: sign-in, refresh, sign-out and set-up (interface §2). Pure.
import { type About, data } from "@tradepost/http";
import { z } from "zod";
import { user } from "./user-schema.ts";

const tag = "Sign-in";
const token = z.string().describe("A dashboard token, for `Authorization: Bearer`");
const expiresAt = z.iso.datetime().describe("15 minutes from now");

export const signInAbouts = {
  login: {
    id: "login",
    tag,
    summary: "Sign in",
    description: `Sets two cookies: \`tradepost_refresh\`, with which a browser gets its next token, and \`tradepost_device\`, which exempts a browser that
has signed in as this user before from one of the limits; over https their names begin with \`__Secure-\`. A wrong e-mail, a wrong password and an inactive user are the same 401.

Failures are limited: past 5 a minute for one e-mail from one address, 30 a minute from one address, or 100 an hour for one e-mail,
every attempt is 429.`,
    responses: { 200: data(z.strictObject({ token, expiresAt, user })) },
    errors: ["unauthorized", "tenant_suspended", "email_taken"],
  },
  refresh: {
    id: "refreshToken",
    tag,
    summary: "Get the next dashboard token",
    description: `Needs the cookie \`tradepost_refresh\`, and replaces it. A refresh secret that is used a second time ends the session. Without a session
the response is 401, and the cookie is cleared.`,
    responses: { 200: data(z.strictObject({ token, expiresAt })) },
    errors: ["unauthorized", "tenant_suspended"],
  },
  logout: {
    id: "logout",
    tag,
    summary: "Sign out",
    description: `Ends the session of the cookie \`tradepost_refresh\` and clears the cookie. Its tokens are refused from the next request on. The response is
the same if there is no session.`,
    responses: { 200: data(z.strictObject({ signedOut: z.literal(true) })) },
  },
  setUp: {
    id: "setUpPassword",
    tag,
    summary: "Set a password with a set-up link",
    description: `Uses the link up and ends the user's sessions; then the user signs in. A token that was used, has expired or is unknown is 401. A
password that is refused does not use the link up. An e-mail that a user of another tenant has confirmed first is 409 \`email_taken\`.`,
    responses: { 200: data(user) },
    errors: ["unauthorized", "tenant_suspended", "email_taken"],
  },
} satisfies Record<string, About>;
