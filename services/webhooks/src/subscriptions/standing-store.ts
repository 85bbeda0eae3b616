// A tenant's standing at an origin survives a deleted subscription and a changed URL.
import { arrayParametersOf, arraysOf, columnsOf, namedStatement, type RowColumns } from "@tradepost/postgres";
import { sql } from "kysely";
import { DOWN_FROM_FAILURES, NEW_STANDING, type Standing } from "../endpoint/endpoint.ts";
import type { Tenant } from "../tables.ts";

interface ChangedStanding extends Standing {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly consecutiveFailures: number;
}

const changedColumns: RowColumns<ChangedStanding> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  subscription_id: ["uuid", ({ subscriptionId }) => subscriptionId],
  window_size: ["smallint", ({ windowSize }) => windowSize],
  proven: ["boolean", ({ isProven }) => isProven],
  down: ["boolean", ({ consecutiveFailures }) => consecutiveFailures >= DOWN_FROM_FAILURES],
};

/**
 * Neither writes nor locks unchanged endpoints, and skips deleted ones. Locks in the order of the ids, after subscriptions and
 * deliveries. Finds each row again by its key: after waiting for a lock, its place would belong to a row version that this
 * statement does not see.
 */
export const storeStandings = namedStatement<readonly ChangedStanding[]>(
  `
  with changed as (
    select changed.*
      from (select * from unnest(${arrayParametersOf("changed", changedColumns)}) as changed (${columnsOf(changedColumns)})
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
   where endpoints.tenant_id = changed.tenant_id and endpoints.subscription_id = changed.subscription_id`,
  { changed: arraysOf(changedColumns, (standings: readonly ChangedStanding[]) => standings) },
);

/** Longer host names do not exist (RFC 1035). */
const ORIGIN_CHARACTERS_MAX = 300;

/**
 * Gives an endpoint that is new at its origin the worst standing that the tenant has or last had there. Call it in the
 * transaction that creates the subscription or changes its origin.
 */
export async function inheritStanding(tx: Tenant, subscriptionId: string, url: string): Promise<void> {
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

function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin ?? null;
  return origin === null || origin.length > ORIGIN_CHARACTERS_MAX ? null : origin;
}
