// The routes without a credential: sign-in, its second step, refresh, sign-out and set-up (interface §2, §20).
import type { IncomingMessage } from "node:http";
import { ApiError, type ApiResponse, data, ok, route } from "@tradepost/http";
import { z } from "zod";
import { ANYONE } from "../../requirements.ts";
import type { IdentityContext } from "../context.ts";
import { NO_STORE } from "../responses.ts";
import { signDashboardToken } from "../sessions/dashboard-token.ts";
import { refreshSession, signOut } from "../sessions/refresh-session.ts";
import type { OpenedSession, OwnedSession } from "../sessions/session-store.ts";
import { setUpPassword } from "./setup-link.ts";
import { type FinishedSignIn, finishSignIn, signIn } from "./sign-in.ts";
import { userResource } from "./user.ts";
import { loginInput, PASSWORD_BODY_BYTES_MAX, secondFactorInput, setupInput } from "./user-input.ts";
import { user } from "./user-schema.ts";

const tag = "Sign-in";
const WITHOUT_CREDENTIAL = { ...ANYONE, bodyBytesMax: PASSWORD_BODY_BYTES_MAX } as const;

const token = z.string().describe("A dashboard token, for `Authorization: Bearer`");
const expiresAt = z.iso.datetime().describe("15 minutes from now");

const signedIn = z
  .strictObject({ token, expiresAt, user })
  .meta({ id: "SignedIn", description: "A user who has signed in." });
const needsSecondFactor = z
  .strictObject({
    secondFactor: z.strictObject({
      token: z.string().describe("For `POST /v1/auth/second-factor`. It is no dashboard token"),
      expiresAt: z.iso.datetime().describe("5 minutes from now"),
    }),
  })
  .meta({ id: "NeedsSecondFactor", description: "A sign-in with a right password that needs a code." });

const login = (context: IdentityContext) =>
  route("POST /v1/auth/login", {
    ...WITHOUT_CREDENTIAL,
    body: loginInput,
    about: {
      id: "login",
      tag,
      summary: "Sign in",
      description: `Sets two cookies: \`tradepost_refresh\`, with which a browser gets its next token, and \`tradepost_device\`, which exempts a browser that
has signed in as this user before from one of the limits; over https their names begin with \`__Secure-\`. A wrong e-mail, a wrong password and an inactive user are the same 401.

A user with a second factor gets \`secondFactor\` in place of a token, and no cookie: \`POST /v1/auth/second-factor\` goes on.

Failures are limited: past 5 a minute for one e-mail from one address, 30 a minute from one address, or 100 an hour for one e-mail,
every attempt is 429.`,
      responses: { 200: data(z.union([signedIn, needsSecondFactor])) },
      errors: ["unauthorized", "tenant_suspended", "email_taken"],
    },
    handle: async ({ body, raw, requestId }) => {
      const result = await signIn(context, { ...body, ...callerOf(context, raw), requestId });
      return "unfinished" in result
        ? ok({ secondFactor: result.unfinished }, NO_STORE)
        : signedInResponse(context, raw, result);
    },
  });

const secondFactor = (context: IdentityContext) =>
  route("POST /v1/auth/second-factor", {
    ...WITHOUT_CREDENTIAL,
    body: secondFactorInput,
    about: {
      id: "finishSignIn",
      tag,
      summary: "Finish a sign-in with a second factor",
      description: `With the token of \`POST /v1/auth/login\` and a code or a recovery code. Sets the same cookies as a sign-in without a second factor. The
response is the same 401 for a wrong code, a used code, an expired token and a used token. The token is valid until the sixth wrong code.
Wrong codes count as failed sign-ins, under the same limits.`,
      responses: { 200: data(signedIn) },
      errors: ["unauthorized", "tenant_suspended"],
    },
    handle: async ({ body, raw, requestId }) => {
      const { token, ...proof } = body;
      const request = { token, proof, ...callerOf(context, raw), requestId };
      return signedInResponse(context, raw, await finishSignIn(context, request));
    },
  });

const refresh = (context: IdentityContext) =>
  route("POST /v1/auth/refresh", {
    ...WITHOUT_CREDENTIAL,
    about: {
      id: "refreshToken",
      tag,
      summary: "Get the next dashboard token",
      description: `Needs the cookie \`tradepost_refresh\`, and replaces it. A refresh secret that is used a second time ends the session. Without a session
the response is 401, and the cookie is cleared.`,
      responses: { 200: data(z.strictObject({ token, expiresAt })) },
      errors: ["unauthorized", "tenant_suspended"],
    },
    handle: async ({ raw, requestId }) => {
      const { db, cookies, refreshSecrets, countAuthFailure, readClient } = context;
      const client = readClient(raw);
      const presented = cookies.readSession(raw);
      const session =
        presented && (await refreshSession(db, { ...presented, client, requestId }, refreshSecrets));
      if (session === null) {
        countAuthFailure("refresh");
        const [cleared] = cookies.clearSession(raw);
        const headers = { ...NO_STORE, ...(cleared !== undefined && { "set-cookie": cleared }) };
        throw new ApiError("unauthorized", "Sign in again.", { headers });
      }
      return sessionResponse(session, context);
    },
  });

const logout = ({ db, cookies, readClient }: IdentityContext) =>
  route("POST /v1/auth/logout", {
    ...WITHOUT_CREDENTIAL,
    about: {
      id: "logout",
      tag,
      summary: "Sign out",
      description: `Ends the session of the cookie \`tradepost_refresh\` and clears the cookie. Its tokens are refused from the next request on. The response is
the same if there is no session.`,
      responses: { 200: data(z.strictObject({ signedOut: z.literal(true) })) },
    },
    handle: async ({ raw, requestId }) => {
      const client = readClient(raw);
      const session = cookies.readSession(raw);
      if (session !== null) await signOut(db, { ...session, client, requestId });
      return {
        status: 200,
        headers: NO_STORE,
        cookies: [...cookies.clearSession(raw), ...cookies.clearBegun(raw)],
        body: { success: true, data: { signedOut: true } },
      };
    },
  });

const setUp = (context: IdentityContext) =>
  route("POST /v1/auth/setup", {
    ...WITHOUT_CREDENTIAL,
    body: setupInput,
    about: {
      id: "setUpPassword",
      tag,
      summary: "Set a password with a set-up link",
      description: `Uses the link up and ends the user's sessions; then the user signs in. A token that was used, has expired or is unknown is 401. A
password that is refused does not use the link up. An e-mail that a user of another tenant has confirmed first is 409 \`email_taken\`.`,
      responses: { 200: data(user) },
      errors: ["unauthorized", "tenant_suspended", "email_taken"],
    },
    handle: async ({ body, raw, requestId }) => {
      const client = context.readClient(raw);
      return ok(userResource(await setUpPassword(context, { ...body, client, requestId })), NO_STORE);
    },
  });

export const signInRoutes = [login, secondFactor, refresh, logout, setUp];

function callerOf({ cookies, readClient }: IdentityContext, raw: IncomingMessage) {
  return {
    client: readClient(raw),
    isKnownDevice: (userId: string) => cookies.isKnownDevice(raw, userId),
  };
}

function signedInResponse(
  context: IdentityContext,
  raw: IncomingMessage,
  { user, tenantId, session }: FinishedSignIn,
): ApiResponse {
  return sessionResponse({ ...session, tenantId, userId: user.id }, context, {
    // Nobody may finish another user's sign-in at the provider in this session.
    cookies: [context.cookies.setDevice(raw, user.id), ...context.cookies.clearBegun(raw)],
    data: { user: userResource(user) },
  });
}

function sessionResponse(
  session: OpenedSession & Pick<OwnedSession, "tenantId" | "userId">,
  { signingKeys, cookies }: IdentityContext,
  extra: { readonly cookies?: readonly string[]; readonly data?: Record<string, unknown> } = {},
): ApiResponse {
  const { userId, tenantId, id: sessionId } = session;
  const { token, expiresAt } = signDashboardToken({ userId, tenantId, sessionId }, signingKeys);
  return {
    status: 200,
    headers: NO_STORE,
    cookies: [cookies.setSession(session), ...(extra.cookies ?? [])],
    body: { success: true, data: { token, expiresAt, ...extra.data } },
  };
}
