// What a tenant's endpoints have earned or lost at an origin survives a deleted subscription and a changed URL.
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";
import { NEW_STANDING } from "./standing.ts";

/** Longer host names do not exist (RFC 1035), and an index could not hold them. */
const ORIGIN_CHARACTERS_MAX = 300;

/**
 * Gives an endpoint that is new at the origin of `url` the worst standing that the tenant has or last had there, or that of a
 * new endpoint. Call it in the transaction that creates the subscription or changes its origin.
 */
export async function inheritStanding(
  tx: Tenant<Tables>,
  subscriptionId: string,
  url: string,
): Promise<void> {
  const { tenantId } = tx;
  const origin = originOf(url);
  await sql`
    with former as (
      delete from former_standings where tenant_id = ${tenantId} and origin = ${origin}
      returning window_size, proven, down
    ), known as (
      select * from former
       union all
      select window_size, proven, down from endpoints
       where tenant_id = ${tenantId} and origin = ${origin} and subscription_id <> ${subscriptionId}
       order by down desc, proven, window_size
       limit 1
    )
    update endpoints
       set origin = ${origin},
           window_size = coalesce(known.window_size, ${NEW_STANDING.windowSize}),
           proven = coalesce(known.proven, ${NEW_STANDING.isProven}),
           down = coalesce(known.down, false)
      from (select) one left join known on true
     where tenant_id = ${tenantId} and subscription_id = ${subscriptionId}`.execute(tx.db);
}

export function isSameOrigin(url: string, other: string): boolean {
  return originOf(url) === originOf(other);
}

/** Scheme, host and port. */
function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin ?? null;
  return origin === null || origin.length > ORIGIN_CHARACTERS_MAX ? null : origin;
}
