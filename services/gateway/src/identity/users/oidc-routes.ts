// The way of a browser to the OIDC provider and back, and a user's bound identity (interface §25). The first two routes are
// navigations, so a failure is a redirect to the sign-in, whose address is fixed.
import type { IncomingMessage } from "node:http";
import { ApiError, type ApiResponse, data, ok, REDIRECT, required, route } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { z } from "zod";
import { ANYONE, VIEWER } from "../../requirements.ts";
import type { Tenant } from "../../tables.ts";
import type { IdentityContext } from "../context.ts";
import { sessionIdOf } from "../credential.ts";
import { BEGUN_SECONDS } from "../oidc/begun-sign-in.ts";
import { deleteIdentity, findIdentity, hasOtherBoundOwner } from "../oidc/identity-store.ts";
import type { Provider } from "../oidc/provider.ts";
import { recordAboutUser } from "../record-about-user.ts";
import { NO_STORE, redirect } from "../responses.ts";
import { endUserSessions, lockSession } from "../sessions/session-store.ts";
import { readSecurity } from "../tenants/tenant-store.ts";
import { bindIdentity, type SignInFailure, signInAtProvider } from "./sign-in-at-provider.ts";
import { asAttempt } from "./sign-in-limit.ts";
import { endedSessions } from "./user-schema.ts";
import { lockUser } from "./user-store.ts";

const RESPONSES = { 302: REDIRECT };
const DASHBOARD = "/dashboard";
const ACCOUNT = `${DASHBOARD}/account`;

function failed(failure: SignInFailure, cookies: readonly string[] = []): ApiResponse {
  return redirect(`${DASHBOARD}/sign-in?failure=${failure}`, cookies);
}

const startQuery = z.strictObject({
  link: z
    .enum(["true"], "must be true")
    .optional()
    .describe("Links the identity to the user who is signed in in this browser"),
});

const start = (context: IdentityContext) =>
  route("GET /v1/auth/oidc/start", {
    ...ANYONE,
    about: {
      id: "startOidcSignIn",
      tag: "Sign-in",
      summary: "Go to the provider to sign in there",
      description:
        "For browsers. A failure leads to `/dashboard/sign-in?failure=<code>`, as after the callback.",
      responses: RESPONSES,
    },
    query: startQuery,
    handle: async ({ query, raw }) => {
      const { provider, begunSignIns, cookies } = context;
      if (provider === null) return failed("unavailable");
      const sessionId = query.link ? await openSessionOf(context, raw) : null;
      if (sessionId === undefined) return failed("expired");
      const begun = begunSignIns.begin(sessionId);
      const url = await provider.authorizationUrl(begun.checks, context.redirectUri(raw));
      if (typeof url === "string") return failed(url);
      return redirect(url.href, [cookies.setBegun(begun.cookie, BEGUN_SECONDS)]);
    },
  });

/** By the refresh cookie, because a navigation carries no token. Undefined if the session is over. */
async function openSessionOf({ db, cookies }: IdentityContext, raw: IncomingMessage) {
  const presented = cookies.readSession(raw);
  const session = presented && (await lockSession(db, presented.id));
  return session?.isCurrent(presented?.refreshSecret ?? "") ? session.id : undefined;
}

// Not strict, because providers add parameters.
const responseParameters = z
  .looseObject({
    state: z.string().optional().describe("As at the start"),
    code: z.string().optional().describe("Used once"),
    error: z.string().optional().describe("In place of `code`"),
  })
  .transform((parameters) => parameters as Record<string, string>);

const callback = (context: IdentityContext) =>
  route("GET /v1/auth/oidc/callback", {
    ...ANYONE,
    about: {
      id: "finishOidcSignIn",
      tag: "Sign-in",
      summary: "Come back from the provider",
      description: `For browsers. Sets the cookie \`tradepost_refresh\` and leads to the dashboard, or to \`/dashboard/sign-in?failure=<code>\`: \`not_invited\`,
\`email_unverified\`, \`expired\`, \`refused\`, \`suspended\` or \`unavailable\`. Other parameters are ignored.`,
      responses: RESPONSES,
    },
    query: responseParameters,
    // For a malformed response, or 429.
    onError: ({ code, headers }) => {
      const response = failed(code === "rate_limited" ? "unavailable" : "refused");
      return { ...response, headers: { ...headers, ...response.headers } };
    },
    handle: async ({ query, raw, requestId }) => {
      const { provider, begunSignIns, cookies } = context;
      // A program that only checks the address does not use the code up.
      if (raw.method === "HEAD") return redirect(DASHBOARD);
      if (provider === null) return failed("unavailable");
      const begun = begunSignIns.read(cookies.readBegun(raw));
      // Another browser, another sign-in, or a finished one.
      if (begun === null || query.state !== begun.checks.state) return failed("expired");
      const request = { client: context.readClient(raw), requestId };
      const responseUrl = new URL(`?${new URLSearchParams(query)}`, context.redirectUri(raw));
      const work = async () => {
        const claims = await provider.claimsOf(responseUrl, begun.checks);
        if (typeof claims === "string") return claims;
        return begun.sessionId === null
          ? await signInAtProvider(context, claims, request)
          : await bindIdentity(context, begun.sessionId, claims, request);
      };
      const isFailure = (result: unknown) => typeof result === "string";
      const outcome = await asAttempt(context.signInLimit, [COUNTED_AS, request.client], work, isFailure);
      const cleared = cookies.clearBegun(raw);
      if (typeof outcome === "string") {
        context.countAuthFailure("oidc");
        return failed(outcome, cleared);
      }
      if (outcome === null) return redirect(ACCOUNT, cleared);
      return redirect(DASHBOARD, [cookies.setSession(outcome.session), ...cleared]);
    },
  });

// Counted in place of an e-mail: each failure has cost a request to the provider.
const COUNTED_AS = "oidc";

const methods = ({ provider }: IdentityContext) =>
  route("GET /v1/auth/methods", {
    ...ANYONE,
    about: {
      id: "getSignInMethods",
      tag: "Sign-in",
      summary: "Get how staff may sign in",
      description: "With `oidc`, a browser signs in at that provider by `/v1/auth/oidc/start`.",
      responses: {
        200: data(
          z.strictObject({
            password: z.literal(true).describe("A shop may refuse passwords (`passwordSignIn`)"),
            oidc: z.strictObject({ name: z.string().describe("The word on the button") }).nullable(),
          }),
        ),
      },
    },
    handle: () => ok({ password: true, oidc: provider && { name: provider.name } }, NO_STORE),
  });

const unlink = (context: IdentityContext) =>
  route("DELETE /v1/me/identity", {
    ...VIEWER,
    usersOnly: true,
    about: {
      id: "unlinkMyIdentity",
      tag: "Me",
      summary: "Unlink the caller's identity at the provider",
      description: `Ends all other sessions of the user. While passwords are switched off, the only owner who can sign in gets 409 \`last_identity\`.`,
      responses: { 200: data(endedSessions) },
      errors: ["not_found", "last_identity"],
    },
    handle: async (request) => {
      const { tenantId, actor } = request.principal;
      const sessionId = sessionIdOf(request.raw, context.signingKeys);
      const endedCount = await tenantOf(context.db, tenantId).transaction(async (tx) => {
        const identity = await findUnlinkable(tx, actor.id, context.provider);
        await deleteIdentity(tx, actor.id);
        const ended = await endUserSessions(tx, actor.id, { exceptId: sessionId });
        const changes = { issuer: identity.issuer, endedCount: ended };
        await recordAboutUser(tx, "identity.unlinked", actor.id, request, changes);
        return ended;
      });
      return ok({ endedSessions: endedCount }, NO_STORE);
    },
  });

async function findUnlinkable(tx: Tenant, userId: string, provider: Provider | null) {
  const { passwordSignIn } = await readSecurity(tx, { locks: true });
  const user = await lockUser(tx, userId);
  const identity = required(await findIdentity(tx, userId), "identity");
  const { issuer } = identity;
  const isNeeded = !passwordSignIn && user?.role === "owner" && provider?.hasIssued(identity);
  if (isNeeded && !(await hasOtherBoundOwner(tx, userId, issuer)))
    throw new ApiError("last_identity", "No other owner could sign in: passwords are switched off.");
  return identity;
}

export const oidcRoutes = [start, callback, methods, unlink];
