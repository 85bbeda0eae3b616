// Creates a tenant with its owner, for `npm run ops -- tenant create` (interface §2, §9).
import { randomBytes } from "node:crypto";
import { violatedConstraint } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import { z } from "zod";
import { OPERATOR, type OperatorActor } from "../../audit-log/audit-log.ts";
import type { Tables } from "../../tables.ts";
import { passwords } from "../passwords/password.ts";
import type { ModuleName } from "./module-store.ts";
import { shopSettings } from "./shop-store.ts";
import { insertTenant } from "./tenant-store.ts";

const chosenSettings = z.object(shopSettings).partial();

/** Throws an Error for the operator if an argument is malformed, or slug or e-mail are taken. */
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
  const password = randomBytes(18).toString("base64url");
  const passwordHash = await hash(password);
  try {
    const owner = { email: ownerEmail, passwordHash };
    const { tenantId, ownerId } = await insertTenant(db, { slug, name, modules, owner, ...shop.data }, actor);
    return {
      tenantId,
      slug,
      name,
      modules,
      // The password is shown only here.
      owner: { id: ownerId, email: ownerEmail.toLowerCase(), password },
    };
  } catch (error) {
    const reason = REASONS[violatedConstraint(error) ?? ""];
    throw reason === undefined ? error : new Error(reason, { cause: error });
  }
}

function hashPassword(password: string): Promise<string> {
  return passwords(() => undefined).hash(password, { kind: "anyone" });
}

const REASONS: Record<string, string> = {
  tenants_slug_key: "A tenant with this slug already exists.",
  tenants_slug_check:
    "A slug has 1 to 63 lower-case letters, digits and hyphens, and does not begin with a hyphen.",
  users_confirmed_email: "A user with this e-mail already exists; e-mails are unique on the platform.",
};
