// The routes of a tenant's security requirements for its users (interface §20).
import type { IncomingMessage } from "node:http";
import { ApiError, data, invalid, ok, route } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { z } from "zod";
import { type AuditCause, recordAudit } from "../../audit-log/audit-log.ts";
import { ADMIN, OWNER } from "../../requirements.ts";
import type { Tenant } from "../../tables.ts";
import type { IdentityContext } from "../context.ts";
import { sessionIdOf } from "../credential.ts";
import { findIdentity } from "../oidc/identity-store.ts";
import { useProof, wrongProof } from "../second-factor/proof.ts";
import { code, FACTOR_BODY_BYTES_MAX } from "../second-factor/second-factor-input.ts";
import { isFreshAtProvider } from "../sessions/session-store.ts";
import { endSignInsOfTenant } from "../sessions/unfinished-sign-in.ts";
import { readSecurity, type Security, writeSecurity } from "../tenants/tenant-store.ts";
import { limitedAsSignIn } from "./sign-in-limit.ts";

const tag = "Security";

const securityInput = z.strictObject({
  requireSecondFactor: z.boolean("must be true or false").optional(),
  passwordSignIn: z.boolean("must be true or false").optional(),
  code: code
    .optional()
    .describe("Needed to turn `requireSecondFactor` off or passwords on: a code of the caller"),
});

const security = z
  .strictObject({
    requireSecondFactor: z
      .boolean()
      .describe("Whether users without a second factor can only set one up: 403 `second_factor_required`"),
    passwordSignIn: z
      .boolean()
      .describe("Whether passwords sign in, besides those that were set with a link of the operator"),
  })
  .meta({ id: "Security", description: "The security settings of the tenant." });

const read = ({ db }: IdentityContext) =>
  route("GET /v1/security", {
    ...ADMIN,
    about: {
      id: "getSecurity",
      tag,
      summary: "Get the security settings",
      responses: { 200: data(security) },
    },
    handle: async ({ principal }) => ok(await readSecurity(tenantOf(db, principal.tenantId))),
  });

const set = (context: IdentityContext) =>
  route("PUT /v1/security", {
    ...OWNER,
    bodyBytesMax: FACTOR_BODY_BYTES_MAX,
    body: securityInput,
    about: {
      id: "setSecurity",
      tag,
      summary: "Change the security settings",
      description: `Holds from the next request on, for the sessions that are open too. To stop requiring a second factor, or to accept passwords again, the
owner needs a code; a missing or wrong one is 422 on \`code\`. Wrong codes are limited like failed sign-ins. Within 5 minutes of a
sign-in at the provider, passwords need none. Only an owner who is linked to the provider can switch passwords off (409 \`conflict\`).
API keys are not affected.`,
      responses: { 200: data(security) },
      errors: ["conflict"],
    },
    handle: async (request) => {
      const tenant = tenantOf(context.db, request.principal.tenantId);
      const change = () => tenant.transaction((tx) => changeSecurity(tx, context, request.body, request));
      return ok(
        await (request.body.code === undefined
          ? change()
          : limitedAsSignIn(tenant, context.signInLimit, request, change)),
      );
    },
  });

export const securityRoutes = [read, set];

async function changeSecurity(
  tx: Tenant,
  context: IdentityContext,
  { code, ...wanted }: z.output<typeof securityInput>,
  cause: AuditCause & { readonly raw: IncomingMessage },
): Promise<Security> {
  const before = await readSecurity(tx, { locks: true });
  const after = {
    requireSecondFactor: wanted.requireSecondFactor ?? before.requireSecondFactor,
    passwordSignIn: wanted.passwordSignIn ?? before.passwordSignIn,
  };
  const changed = Object.entries(after).filter(([name, value]) => before[name as keyof Security] !== value);
  if (changed.length === 0) return after;
  const userId = cause.principal.actor.id;
  const relaxesFactor = before.requireSecondFactor && !after.requireSecondFactor;
  const relaxesPasswords = !before.passwordSignIn && after.passwordSignIn;
  if (relaxesFactor || relaxesPasswords) {
    const sessionId = sessionIdOf(cause.raw, context.signingKeys);
    // A user who signs in only at the provider has no code.
    const needsCode = relaxesFactor || !(await isFreshAtProvider(tx, sessionId));
    if (needsCode && code === undefined) {
      const fresh = "is required, unless you signed in at the provider within the last 5 minutes";
      throw invalid([{ path: "code", message: relaxesFactor ? "is required to turn this off" : fresh }]);
    }
    if (needsCode && !(await useProof(tx, context.sealing, userId, { code }))) throw wrongProof({ code });
  }
  if (before.passwordSignIn && !after.passwordSignIn) {
    const identity = await findIdentity(tx, userId);
    if (identity === null || !context.provider?.hasIssued(identity))
      throw new ApiError("conflict", "Link your own account to the provider first.");
    await endSignInsOfTenant(tx);
  }
  await writeSecurity(tx, after);
  const target = { type: "tenant", id: tx.tenantId };
  const changes = Object.fromEntries(changed);
  await recordAudit(tx, { action: "security.updated", target, changes }, cause);
  return after;
}
