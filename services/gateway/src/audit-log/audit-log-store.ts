// The tenants' audit log: who did what to what, written in the transaction of the deed, and never changed.

import type { PageQuery } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import { newestFirst } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { Kysely, Selectable } from "kysely";
import type { Client } from "../client/client.ts";
import type { Tables } from "../tables.ts";

export interface AuditEntry {
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  /** What changed, as the API names it; never a secret, not even its hash. */
  readonly changes: Record<string, unknown>;
}

/** A cause, and the client that the request came from where it is known. The audit log keeps no trace. */
export interface AuditCause extends Omit<Cause, "traceparent"> {
  readonly client: Client | null;
}

/** In: the transaction of the deed itself, so that one is never without the other. */
export async function recordAudit(tx: Kysely<Tables>, entry: AuditEntry, cause: AuditCause): Promise<void> {
  await insertAuditEntry(tx, { ...entry, ...cause, id: newId(), at: new Date() });
}

/** Writes an entry once, by its id; a second copy is left out. */
export async function insertAuditEntry(
  db: Kysely<Tables>,
  {
    id,
    at,
    action,
    target,
    changes,
    principal,
    requestId,
    client,
  }: AuditEntry & AuditCause & { id: string; at: Date },
): Promise<void> {
  await db
    .insertInto("audit_log")
    .values({
      tenant_id: principal.tenantId,
      id,
      created_at: at,
      actor_type: principal.actor.type,
      actor_id: principal.actor.id,
      actor_name: principal.actor.name,
      action,
      target_type: target.type,
      target_id: target.id,
      changes: JSON.stringify(changes),
      request_id: requestId,
      ip: client?.ip ?? null,
      user_agent: client?.userAgent ?? null,
    })
    .onConflict((conflict) => conflict.columns(["tenant_id", "id"]).doNothing())
    .execute();
}

export interface AuditFilter {
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
  readonly targetId?: string | undefined;
  /** Inclusive. */
  readonly after?: Date | undefined;
  /** Exclusive. */
  readonly before?: Date | undefined;
}

/** Newest first; one row more than the limit if there is a next page. */
export async function listAuditLog(db: Kysely<Tables>, tenantId: string, query: PageQuery & AuditFilter) {
  let matching = db.selectFrom("audit_log").selectAll().where("tenant_id", "=", tenantId);
  if (query.action !== undefined) matching = matching.where("action", "=", query.action);
  if (query.actorId !== undefined) matching = matching.where("actor_id", "=", query.actorId);
  if (query.targetId !== undefined) matching = matching.where("target_id", "=", query.targetId);
  if (query.after !== undefined) matching = matching.where("created_at", ">=", query.after);
  if (query.before !== undefined) matching = matching.where("created_at", "<", query.before);
  const rows = await newestFirst(matching, query).execute();
  return rows.map(entryOf);
}

/** `createdAt` is where the next page begins; the API shows it as `at`. */
function entryOf(row: Selectable<Tables["audit_log"]>) {
  return {
    id: row.id,
    createdAt: row.created_at,
    shown: {
      id: row.id,
      at: row.created_at,
      actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
      action: row.action,
      target: { type: row.target_type, id: row.target_id },
      changes: row.changes,
      requestId: row.request_id,
      ip: row.ip,
      userAgent: row.user_agent,
    },
  };
}
