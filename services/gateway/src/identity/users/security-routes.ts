// The routes of a tenant's security requirements for its users (interface §20).
import { type ApiRequest, data, invalid, notFound, ok, route } from "@tradepost/http";
import { type Tenant, tenantOf } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import { z } from "zod";
import { type AuditCause, recordAudit } from "../../audit-log/audit-log.ts";
import type { Tables } from "../../tables.ts";
import { useProof, wrongProof } from "../second-factor/proof.ts";
import { code, FACTOR_BODY_BYTES_MAX } from "../second-factor/second-factor-input.ts";
import type { SecretSealing } from "../second-factor/secret-sealing.ts";
import { limitedAsSignIn } from "./limited-as-sign-in.ts";
import type { SignInLimit } from "./sign-in-limit.ts";

export interface SecurityContext {
  readonly db: Kysely<Tables>;
  readonly sealing: SecretSealing;
  readonly signInLimit: SignInLimit;
}

const tag = "Security";

const securityInput = z.strictObject({
  requireSecondFactor: z.boolean("must be true or false"),
  code: code.optional().describe("Needed to turn `requireSecondFactor` off: a code of the caller"),
});

const security = z
  .strictObject({
    requireSecondFactor: z
      .boolean()
      .describe("Whether users without a second factor can only set one up: 403 `second_factor_required`"),
  })
  .meta({ id: "Security", description: "The security settings of the tenant." });

const read = ({ db }: SecurityContext) =>
  route({
    method: "GET",
    path: "/v1/security",
    module: null,
    role: "admin",
    scope: null,
    about: {
      id: "getSecurity",
      tag,
      summary: "Get the security settings",
      responses: { 200: data(security) },
    },
    handle: async ({ principal }) =>
      ok({ requireSecondFactor: await requiresSecondFactor(tenantOf(db, principal.tenantId)) }),
  });

const set = ({ db, sealing, signInLimit }: SecurityContext) =>
  route({
    method: "PUT",
    path: "/v1/security",
    module: null,
    role: "owner",
    scope: null,
    bodyBytesMax: FACTOR_BODY_BYTES_MAX,
    body: securityInput,
    about: {
      id: "setSecurity",
      tag,
      summary: "Change the security settings",
      description: `Holds from the next request on, for the sessions that are open too. To stop requiring a second factor, the owner needs a code; a missing or
wrong one is 422 on \`code\`. Wrong codes are limited like failed sign-ins. API keys are not affected.`,
      responses: { 200: data(security) },
    },
    handle: async (request: ApiRequest<z.output<typeof securityInput>, undefined>) => {
      const tenant = tenantOf(db, request.principal.tenantId);
      const change = () => tenant.transaction((tx) => setRequirement(tx, sealing, request.body, request));
      await (request.body.code === undefined
        ? change()
        : limitedAsSignIn(tenant, signInLimit, request, change));
      return ok({ requireSecondFactor: request.body.requireSecondFactor });
    },
  });

export const securityRoutes = [read, set];

async function setRequirement(
  tx: Tenant<Tables>,
  sealing: SecretSealing,
  { requireSecondFactor, code }: z.output<typeof securityInput>,
  cause: AuditCause,
): Promise<void> {
  if ((await requiresSecondFactor(tx, { locks: true })) === requireSecondFactor) return;
  if (!requireSecondFactor) {
    if (code === undefined) throw invalid([{ path: "code", message: "is required to turn this off" }]);
    if (!(await useProof(tx, sealing, cause.principal.actor.id, { code }))) throw wrongProof({ code });
  }
  await tx.db
    .updateTable("tenants")
    .set({ require_second_factor: requireSecondFactor })
    .where("id", "=", tx.tenantId)
    .execute();
  const target = { type: "tenant", id: tx.tenantId };
  await recordAudit(tx, { action: "security.updated", target, changes: { requireSecondFactor } }, cause);
}

/** `locks` makes concurrent changes wait. */
async function requiresSecondFactor(tenant: Tenant<Tables>, { locks = false } = {}): Promise<boolean> {
  const row = await tenant.db
    .selectFrom("tenants")
    .select("require_second_factor")
    .where("id", "=", tenant.tenantId)
    .$if(locks, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (row === undefined) throw notFound("tenant");
  return row.require_second_factor;
}
