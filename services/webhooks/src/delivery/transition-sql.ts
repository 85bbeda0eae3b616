// Parts of the statements that apply a transition to a batch of one subscription's deliveries.
import type { Tenant } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { type TransitionName, transitionColumns } from "./lifecycle.ts";

/** `transition (name, before, after) as (…)` */
export function transitionTable(...names: TransitionName[]): RawBuilder<unknown> {
  const { name, before, after } = transitionColumns(...names);
  return sql`transition (name, before, after) as (
    select * from unnest(${name}::text[], ${before}::text[], ${after}::text[]))`;
}

/**
 * `locked as (…)`: the open deliveries with these ids. A statement looks up the transition after the lock, because the status
 * may change until then. Rows are locked in the order of their ids, as in dispatch: another order would deadlock.
 */
export function lockedDeliveries(
  { tenantId }: Tenant<Tables>,
  subscriptionId: string,
  ids: readonly string[],
): RawBuilder<unknown> {
  return sql`locked as (
    select * from deliveries
     where tenant_id = ${tenantId} and subscription_id = ${subscriptionId} and id = any(${ids}::uuid[])
     order by tenant_id, id
       for update)`;
}
