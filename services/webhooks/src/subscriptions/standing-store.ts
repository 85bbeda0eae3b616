// Stores the standings of endpoints. A tenant's standing at an origin survives a deleted subscription and a changed URL.
import type { Statement, Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";
import { DOWN_FROM_FAILURES, NEW_STANDING, type Standing } from "./standing.ts";

interface ChangedStanding extends Standing {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly consecutiveFailures: number;
}

/**
 * Returns the statement. It neither writes nor locks an endpoint whose stored standing is the same. It locks the others in the
 * order of their ids, after subscriptions and deliveries. Deleted endpoints are skipped.
 */
export function storeStandings(standings: readonly ChangedStanding[]): Statement {
  return {
    text: STORE_STANDINGS,
    values: [
      standings.map(({ tenantId }) => tenantId),
      standings.map(({ subscriptionId }) => subscriptionId),
      standings.map(({ windowSize }) => windowSize),
      standings.map(({ isProven }) => isProven),
      standings.map(({ consecutiveFailures }) => consecutiveFailures >= DOWN_FROM_FAILURES),
    ],
  };
}

/**
 * For the select list of a statement that reads `endpoints` and `subscriptions`: the number of failures in a row. A new
 * subscription inherits them from the tenant's last endpoint at the same origin if that was down.
 */
export const CONSECUTIVE_FAILURES = `
  case when endpoints.down then greatest(subscriptions.consecutive_failures, ${DOWN_FROM_FAILURES})
       else subscriptions.consecutive_failures end`;

/** For the same select list: whether the endpoint is restrained, and how long it is held. */
export const RESTRAINT = `
  restrained as "isRestrained",
  case when held_until > now() then extract(epoch from held_until - now())::float * 1000 end as "heldForMs"`;

// Finds each row again by its key: after waiting for a lock, its place in the table would belong to a row version that this
// statement does not see.
const STORE_STANDINGS = `
  with changed as (
    select changed.*
      from (select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::boolean[], $5::boolean[])
              as changed (tenant_id, subscription_id, window_size, proven, down)
             order by tenant_id, subscription_id) as changed
     cross join lateral (
       select from endpoints
        where endpoints.tenant_id = changed.tenant_id and endpoints.subscription_id = changed.subscription_id
          and (endpoints.window_size, endpoints.proven, endpoints.down) <> (changed.window_size, changed.proven, changed.down)
        limit 1
          for no key update
     ) endpoint
  )
  update endpoints
     set window_size = changed.window_size, proven = changed.proven, down = changed.down
    from changed
   where endpoints.tenant_id = changed.tenant_id and endpoints.subscription_id = changed.subscription_id`;

/** Longer host names do not exist (RFC 1035), and an index could not hold them. */
const ORIGIN_CHARACTERS_MAX = 300;

/**
 * Gives an endpoint that is new at the origin of `url` the worst standing that the tenant has or last had there, or the standing of
 * a new endpoint. Call it in the transaction that creates the subscription or changes its origin.
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

/** Returns scheme, host and port. */
function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin ?? null;
  return origin === null || origin.length > ORIGIN_CHARACTERS_MAX ? null : origin;
}
