// Suspends and resumes a tenant's requests, for `npm run ops -- tenant suspend|resume`, and refuses them meanwhile (interface §2,
// §9). Only the operator suspends a tenant.
import { ApiError, isUuid } from "@tradepost/http";
import { type Tenant, tenantOf } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import { OPERATOR, type OperatorActor, recordAudit } from "../../audit-log/audit-log.ts";
import type { Tables } from "../../tables.ts";

export interface OperatedTenant {
  readonly id: string;
  readonly slug: string;
  readonly isSuspended: boolean;
  /** True once the tenant's deletion has begun, which cannot be undone. */
  readonly isBeingDeleted: boolean;
}

/** Finds a tenant by slug or id. Throws an Error with a message for the operator. */
export async function findOperatedTenant(db: Kysely<Tables>, slugOrId: string): Promise<OperatedTenant> {
  const found = await db
    .selectFrom("tenants")
    .select(["id", "slug"])
    .select(sql<boolean>`suspended_at is not null`.as("isSuspended"))
    .select(sql<boolean>`deletion_started_at is not null`.as("isBeingDeleted"))
    // A slug may look like an id. The tenant with the slug is preferred.
    .where((is) => is.or([is("slug", "=", slugOrId), ...(isUuid(slugOrId) ? [is("id", "=", slugOrId)] : [])]))
    .orderBy(sql`slug = ${slugOrId}`, "desc")
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) throw new Error(`There is no tenant with the slug or id ${slugOrId}.`);
  return found;
}

/** Refuses the tenant's requests from the next one on. Does nothing if the tenant is suspended already. */
export async function suspendRequests(
  db: Kysely<Tables>,
  tenantId: string,
  actor: OperatorActor = OPERATOR,
): Promise<void> {
  await setSuspended(db, tenantId, true, actor);
}

/** Does nothing if the tenant is not suspended. Throws an Error with a message for the operator if it is being deleted. */
export async function resumeRequests(
  db: Kysely<Tables>,
  tenantId: string,
  actor: OperatorActor = OPERATOR,
): Promise<void> {
  await setSuspended(db, tenantId, false, actor);
}

async function setSuspended(
  db: Kysely<Tables>,
  tenantId: string,
  isSuspended: boolean,
  actor: OperatorActor,
): Promise<void> {
  await tenantOf(db, tenantId).transaction(async (tx) => {
    const changed = await tx.db
      .updateTable("tenants")
      .set({ suspended_at: isSuspended ? sql<Date>`now()` : null })
      .where("id", "=", tenantId)
      .where("suspended_at", isSuspended ? "is" : "is not", null)
      .returning("deletion_started_at as deletionStartedAt")
      .executeTakeFirst();
    if (changed === undefined) return;
    if (changed.deletionStartedAt !== null) throw new Error("The tenant is being deleted.");
    const action = isSuspended ? "tenant.suspended" : "tenant.resumed";
    const cause = { principal: { tenantId, actor }, requestId: newId() };
    await recordAudit(tx, { action, target: { type: "tenant", id: tenantId }, changes: {} }, cause);
  });
}

/** Throws 403 `tenant_suspended` if the tenant is suspended. Authenticated requests are refused after authentication. */
export async function refuseSuspended(tenant: Tenant<Tables>): Promise<void> {
  const suspended = await tenant.db
    .selectFrom("tenants")
    .select("id")
    .where("id", "=", tenant.tenantId)
    .where("suspended_at", "is not", null)
    .executeTakeFirst();
  if (suspended !== undefined) throw tenantSuspended();
}

export function tenantSuspended(): ApiError {
  return new ApiError("tenant_suspended", "This tenant is suspended; its operator can resume it.");
}
