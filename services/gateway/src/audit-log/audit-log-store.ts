// The tenants' audit log. Entries are written in the transaction of the change and never modified.
import type { Client } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import { newId } from "@tradepost/runtime";
import type { Selectable } from "kysely";
import type { Tables, Tenant } from "../tables.ts";

interface AuditEntry {
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  /** By API name; never a secret or its hash. */
  readonly changes: Record<string, unknown>;
}

export interface AuditCause {
  readonly principal: Omit<Cause["principal"], "client"> & {
    readonly client?: Client | undefined;
  };
  readonly requestId: string;
}

export const OPERATOR: OperatorActor = operatorNamed(undefined);
export type OperatorActor = ReturnType<typeof operatorNamed>;

export function operatorNamed(person: string | undefined) {
  const name = person ? `Operator (${person.slice(0, 100)})` : "Operator";
  return { type: "operator", id: "operator", name } as const;
}

export async function recordAudit(tx: Tenant, entry: AuditEntry, cause: AuditCause): Promise<void> {
  await insertAuditEntry(tx, { ...entry, id: newId(), at: new Date() }, cause);
}

/** Violates `audit_log_pkey` if the tenant has this entry. */
export async function insertAuditEntry(
  tenant: Tenant,
  { id, at, action, target, changes }: AuditEntry & { id: string; at: Date },
  { principal, requestId }: AuditCause,
): Promise<void> {
  await tenant.db
    .insertInto("audit_log")
    .values({
      tenant_id: tenant.tenantId,
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
      ip: principal.client?.ip ?? null,
      user_agent: principal.client?.userAgent ?? null,
    })
    .execute();
}

/** Returns `{from, to}` of each field that differs, or null. */
export function differences<Fields extends object>(before: Fields, after: Fields) {
  const changed = Object.entries(after)
    .map(([field, to]) => ({ field, from: before[field as keyof Fields] as unknown, to: to as unknown }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map(({ field, from, to }) => [field, { from, to }]));
}

export function entryOf(row: Selectable<Tables["audit_log"]>) {
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
      n: Number(row.n),
      hash: row.hash.toString("hex"),
    },
  };
}

export type AuditEntryShown = ReturnType<typeof entryOf>["shown"];
