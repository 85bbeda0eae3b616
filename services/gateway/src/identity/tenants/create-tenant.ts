// Creates a tenant with its owner, for `npm run ops -- tenant create` (interface §2, §9).
import { randomBytes } from "node:crypto";
import { outboxRow, withoutQuota } from "@tradepost/messaging";
import { tenantOf, violatedConstraint } from "@tradepost/postgres";
import { newId, newTraceparent } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { OPERATOR, type OperatorActor } from "../../audit-log/audit-log.ts";
import type { Tables, Tenant } from "../../tables.ts";
import { passwords } from "../passwords/password.ts";
import { shopSettings } from "./shop-store.ts";
import { findTenant, type ModuleName, moduleNames } from "./tenant-store.ts";

const chosenSettings = z.object(shopSettings).partial();

/**
 * Inserts `tenant.created`, too. Throws an Error for the operator if an argument is malformed, or slug or e-mail are taken.
 */
export async function createTenant(
  db: Kysely<Tables>,
  tenant: {
    slug: string;
    name: string;
    ownerEmail: string;
    modules: readonly ModuleName[];
    actor?: OperatorActor;
  } & z.input<typeof chosenSettings>,
  hash: (password: string) => string | Promise<string> = hashPassword,
) {
  const { slug, name, modules, ownerEmail, actor = OPERATOR } = tenant;
  const shop = chosenSettings.safeParse(tenant);
  if (!shop.success) {
    throw new Error(shop.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
  }
  const { currency, timeZone, locale } = shop.data;
  const password = randomBytes(18).toString("base64url");
  const passwordHash = await hash(password);
  const tenantId = newId();
  const owner = { id: newId(), email: ownerEmail.toLowerCase() };
  try {
    await db.transaction().execute(async (tx) => {
      await tx
        .insertInto("tenants")
        .values({ id: tenantId, slug, name, currency, time_zone: timeZone, locale })
        .execute();
      await tx
        .insertInto("tenant_modules")
        .values(moduleNames.map((one) => ({ tenant_id: tenantId, name: one, active: modules.includes(one) })))
        .execute();
      await tx
        .insertInto("users")
        .values({
          tenant_id: tenantId,
          ...owner,
          name: `${name} owner`,
          role: "owner",
          password_hash: passwordHash,
          confirmed_at: sql<Date>`now()`,
        })
        .execute();
      await insertCreated(tenantOf(tx, tenantId), actor);
    });
  } catch (error) {
    const reason = REASONS[violatedConstraint(error) ?? ""];
    throw reason === undefined ? error : new Error(reason, { cause: error });
  }
  // The password is shown only here.
  return { tenantId, slug, name, modules, owner: { ...owner, password } };
}

function hashPassword(password: string): Promise<string> {
  return passwords(() => undefined).hash(password, { kind: "anyone" });
}

async function insertCreated(tx: Tenant, actor: OperatorActor): Promise<void> {
  const { tenantId } = tx;
  const cause = { principal: { tenantId, actor }, requestId: newId(), traceparent: newTraceparent() };
  const row = outboxRow("tenant.created", tenantId, { tenant: await findTenant(tx) }, withoutQuota(cause));
  await tx.db.insertInto("outbox").values(row).execute();
}

const REASONS: Record<string, string> = {
  tenants_slug_key: "A tenant with this slug already exists.",
  tenants_slug_check:
    "A slug has 1 to 63 lower-case letters, digits and hyphens, and does not begin with a hyphen.",
  users_confirmed_email: "A user with this e-mail already exists; e-mails are unique on the platform.",
};
