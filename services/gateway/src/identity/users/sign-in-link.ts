// A link that signs a user in, once and within 10 minutes: the launcher prints one for the demo's owner (interface §9).
// Its route exists only where SIGN_IN_LINKS is true.
import { ApiError, type Route, route } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { z } from "zod";
import { ANYONE } from "../../requirements.ts";
import type { Tenant } from "../../tables.ts";
import type { IdentityContext } from "../context.ts";
import { type AnonymousRequest, recordByUser } from "../record-about-user.ts";
import { redirect } from "../responses.ts";
import { openSession } from "../sessions/session-store.ts";
import { beginSignIn, endSignIn, findSignIn, lockSignIn } from "../sessions/unfinished-sign-in.ts";
import type { OneTimeToken } from "../signer.ts";
import { refuseSuspended } from "../tenants/operated-tenant.ts";
import { asAttempt } from "./sign-in-limit.ts";
import { lockSigningIn } from "./user-store.ts";

/** Throws 409 `conflict` if the user is inactive or has a second factor, which the link would bypass. */
export async function makeSignInLink(tx: Tenant, userId: string): Promise<OneTimeToken> {
  const user = await lockSigningIn(tx, userId);
  if (user === null || user.hasSecondFactor)
    throw new ApiError("conflict", "The user is not active, or has a second factor.");
  return await beginSignIn(tx, userId, { isLink: true });
}

const query = z.strictObject({ token: z.string() });

// The limits count this in place of an e-mail.
const ACCOUNT = "sign-in link";

/** Both destinations are fixed. Logs leave out the query of every request. Throws 429 and 403 `tenant_suspended`. */
export function signInLinkRoute(context: IdentityContext): Route {
  return route("GET /dashboard/sign-in-link", {
    ...ANYONE,
    about: null,
    query,
    handle: async ({ query: { token }, raw, requestId }) => {
      // A program that only checks the address does not use the link up.
      if (raw.method === "HEAD") return redirect("/dashboard");
      const request = { client: context.readClient(raw), requestId };
      const work = () => applyLink(context, token, request);
      const signedIn = await asAttempt(context.signInLimit, [ACCOUNT, request.client], work);
      if (signedIn === null) {
        context.countAuthFailure("sign_in_link");
        return redirect("/dashboard/sign-in?failure=expired");
      }
      const { user, session } = signedIn;
      return redirect("/dashboard", [
        context.cookies.setSession(session),
        context.cookies.setDevice(raw, user.id),
      ]);
    },
  });
}

/** Returns null if it was used, has ended or is unknown. */
async function applyLink({ db, refreshSecrets }: IdentityContext, token: string, request: AnonymousRequest) {
  const found = await findSignIn(db, token, { isLink: true });
  if (found === null) return null;
  return await tenantOf(db, found.tenantId).transaction(async (tx) => {
    const user = await lockSigningIn(tx, found.userId);
    // Of two uses at once, the second waits here, and then finds the link used.
    if (user === null || user.hasSecondFactor || !(await lockSignIn(tx, user.id, token))) return null;
    await refuseSuspended(tx);
    await endSignIn(tx, user.id, token);
    const session = await openSession(tx, user.id, request.client, refreshSecrets);
    await recordByUser(tx, "auth.login", user, request, { by: "sign_in_link" });
    return { user, tenantId: tx.tenantId, session };
  });
}
