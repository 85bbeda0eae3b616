// The types of orders that tenants may subscribe to, and who sees these events (interface §24). They are stored without a person.
import { isOfOrders, orderTypes } from "@tradepost/event-catalog/order-events";
import { type Principal, permit } from "@tradepost/http";
import { type Kysely, sql } from "kysely";
import type { Tables, Tenant } from "./tables.ts";

const REQUIRED = { module: "crm", role: "viewer", scope: "read:crm" } as const;

/** @throws 403 `module_disabled`, or `forbidden` for a key without `read:crm`, if a type is one of orders. */
export function permitTypes(principal: Principal, types: readonly string[] = []): void {
  if (types.some(isOfOrders)) permit(principal, REQUIRED);
}

/** Whether a read leaves out orders for its caller. */
export interface Sight {
  readonly hidesOrders?: boolean;
}

export function sightOf({ modules, actor, scopes }: Principal): Sight {
  const isRefused = actor.type === "api_key" && !scopes.includes(REQUIRED.scope);
  return { hidesOrders: isRefused || !modules.includes(REQUIRED.module) };
}

export const NOT_OF_ORDERS_TEXT = "type not like 'order.%'";
export const NOT_OF_ORDERS = sql.raw<boolean>(NOT_OF_ORDERS_TEXT);

/** For statements that read `subscriptions`. */
export const NO_TYPES_OF_ORDERS = sql<boolean>`array_to_string(events, ' ') not like '%order.%'`;

/** Types that a subscription names and the operator no longer offers. */
export const INACTIVE_EVENTS = sql<string[]>`array(
  select named.type from unnest(events) as named (type)
   where named.type like 'order.%' and not exists (select from offered_types where offered_types.type = named.type))`.as(
  "inactive_events",
);

export const NOT_OFFERED = sql<string[]>`array(
  select type from unnest(${[...orderTypes]}::text[]) as type except select type from offered_types)`.as(
  "notOffered",
);

export async function stillOffered(
  { db }: Pick<Tenant, "db">,
  types: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!types.some(isOfOrders)) return new Set(types);
  const offered = await db.selectFrom("offered_types").select("type").execute();
  const names = new Set(offered.map(({ type }) => type));
  return new Set(types.filter((type) => !isOfOrders(type) || names.has(type)));
}

/** `since`: when the queue was bound to all of them. */
export async function readOffered(db: Kysely<Tables>): Promise<{ types: string[]; since: Date }> {
  const rows = await db.selectFrom("offered_types").select(["type", "since"]).execute();
  return {
    types: rows.map(({ type }) => type),
    since: new Date(Math.max(0, ...rows.map(({ since }) => since.getTime()))),
  };
}

/**
 * Notes `WEBHOOKS_MORE_EVENTS` for other processes. Open deliveries of types that were taken out are cancelled in the
 * background (`reconciliations.ts`).
 */
export async function noteOffered(db: Kysely<Tables>, more: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`lock table offered_types in share row exclusive mode`.execute(tx);
    const { rows } = await sql<{ type: string }>`
      delete from offered_types where type <> all(${more}::text[]) returning type`.execute(tx);
    await sql`insert into offered_types (type) select unnest(${more}::text[]) on conflict do nothing`.execute(
      tx,
    );
    if (rows.length > 0)
      await sql`
        insert into reconciliations (tenant_id, subscription_id)
        select distinct tenant_id, subscription_id from deliveries where type = any(${rows.map(({ type }) => type)}::text[])
        on conflict (tenant_id, subscription_id) do update
          set requested_at = default, after_created_at = default, after_id = default, advanced_at = default`.execute(
        tx,
      );
    // Otherwise the ledger would wait for tallies of orders.
    if (more.length === 0) await sql`delete from tallies where service = 'orders'`.execute(tx);
    if (more.length === 0) await sql`delete from tally_gaps where service = 'orders'`.execute(tx);
  });
}
