// Stores the standings that the scheduler has changed.
import type { Statement } from "@tradepost/postgres";
import { DOWN_FROM_FAILURES, type Standing } from "./standing.ts";

interface ChangedStanding extends Standing {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly consecutiveFailures: number;
}

/**
 * The statement. It writes nothing, and locks nothing, for an endpoint whose stored standing is the same. Locks the others in the order of their
 * ids, after subscriptions and deliveries. Deleted endpoints are left out.
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
 * For the select list of a statement that reads `endpoints` and `subscriptions`: the failures in a row, which a new subscription
 * takes over from the tenant's last endpoint at the same origin if that was down.
 */
export const CONSECUTIVE_FAILURES = `
  case when endpoints.down then greatest(subscriptions.consecutive_failures, ${DOWN_FROM_FAILURES})
       else subscriptions.consecutive_failures end`;

// Found again by its key: after waiting for a lock, its place in the table would be that of a version that this statement does
// not see.
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
