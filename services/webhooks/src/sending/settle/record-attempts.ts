// The transaction of settle for all attempts except successes at healthy endpoints: updates the health of subscriptions and the
// deliveries, logs the attempts and stores the standings.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { queryTogether, type RowColumns, rowsAs, toStatement, withClient } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import { sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { attempts, settlement } from "../../delivery/delivery.ts";
import {
  closeNotices,
  type NewNotice,
  noteFailedDeliveries,
  type OpenedNotice,
  openNotices,
} from "../../notices/notices.ts";
import { storeStandings } from "../../subscriptions/subscriptions.ts";
import { PATIENCE, type Patience } from "../next-attempt.ts";
import type { EndpointState } from "../scheduler/endpoint-record.ts";
import { type Health, healthAfter, type NoticeChange } from "./health.ts";

/**
 * Locks subscriptions, then deliveries, then endpoints, then notices, as every transaction does. `logged`: all attempts, or only those
 * that settled their delivery.
 */
export async function recordAttempts(
  pool: Pool,
  bodies: attempts.ResponseBodies,
  made: readonly settlement.MadeAttempt[],
  standings: readonly EndpointState[],
  { logged = "all", patience = PATIENCE }: { logged?: "all" | "settled"; patience?: Patience } = {},
) {
  const missing = bodies.missing(made);
  const recorded = await withClient(pool, async (client) => {
    const changes = await beginWithHealth(client, made, patience);
    failPoint("settle.health-updated");
    const transitions = await settlement.applyTransitions(client, made);
    failPoint("settle.recorded");
    const counted = made.filter(({ delivery }) => transitions.has(delivery.deliveryId));
    await queryTogether(client, [
      ...(missing.length > 0 ? [bodies.insert(missing)] : []),
      attempts.log({ made: logged === "all" ? made : counted }),
    ]);
    failPoint("settle.logged");
    if (standings.length > 0) await client.query(storeStandings(standings));
    failPoint("settle.standings-stored");
    const failed = counted.filter(
      ({ delivery }) => transitions.get(delivery.deliveryId)?.status === "failed",
    );
    const opened = await writeNotices(client, changes, failed);
    const isNoticed = changes.length > 0 || failed.length > 0;
    if (isNoticed) failPoint("settle.noticed");
    await client.query("commit");
    // `settled` lacks deliveries that another process has settled.
    return { settled: transitions, opened, isNoticed };
  });
  bodies.remember(missing);
  return recorded;
}

async function beginWithHealth(
  client: PoolClient,
  made: readonly settlement.MadeAttempt[],
  patience: Patience,
): Promise<(NewNotice & { name: NoticeChange["name"] })[]> {
  const bySubscription = Map.groupBy(made, ({ delivery }) => delivery.subscriptionId);
  const [, locked] = await queryTogether(client, [
    { text: "begin" },
    lockChanged([...bySubscription.values()]),
  ]);
  const rows = (locked?.rows ?? []) as HealthRow[];
  // Rows that are not locked here need no change. Waiting for them later could deadlock.
  const changes = rows.map(({ tenantId, id, isListener, formerUrlVersion, ...before }) => {
    const ended = (bySubscription.get(id) ?? []).map(({ attempt, delivery }) => ({
      ...attempt,
      isAtFormerUrl: delivery.subscriptionVersion <= formerUrlVersion,
    }));
    const { health, changes: noticed } = healthAfter(before, ended, isListener ? FOR_EVER : patience);
    const isNoticed = !isListener && tenantId !== CANARY_TENANT_ID;
    return { tenantId, id, health, noticed: isNoticed ? noticed : [] };
  });
  if (changes.length > 0) await client.query(storeHealth(changes));
  return changes.flatMap(({ tenantId, id, noticed }) =>
    noticed.map(({ name, notice }) => ({ name, tenantId, subscriptionId: id, ...notice })),
  );
}

/** Nothing is sent to a listener, so it is never down or held. */
const FOR_EVER: Patience = { ...PATIENCE, downAfterMs: Number.POSITIVE_INFINITY };

type HealthRow = Health & {
  readonly tenantId: string;
  readonly id: string;
  readonly isListener: boolean;
  /** The last version with another URL; 0 without one. */
  readonly formerUrlVersion: number;
};

type OfOneSubscription = readonly settlement.MadeAttempt[];

const lockedColumns: RowColumns<OfOneSubscription> = {
  tenant_id: ["uuid", ([first]) => first?.delivery.tenantId],
  id: ["uuid", ([first]) => first?.delivery.subscriptionId],
  only_successes: ["boolean", (made) => made.every(({ attempt }) => attempt.outcome === "delivered")],
  last_at: ["timestamptz", (made) => made.at(-1)?.attempt.at],
};

// A success that changes only `last_success_at` is written at most once a second. Rows are locked in the order of their ids, as
// everywhere, and returned as they are after the lock.
const lockChanged = (attempts: readonly OfOneSubscription[]) =>
  toStatement(sql`
  select subscription.*
    from (select * from ${rowsAs("change", lockedColumns, attempts)} order by tenant_id, id) as change
   cross join lateral (
     select tenant_id as "tenantId", id, url is null as "isListener", consecutive_failures as "consecutiveFailures",
            last_success_at as "lastSuccessAt", last_failure_at as "lastFailureAt", last_error as "lastError",
            failing_since as "failingSince", down_since as "downSince", held_until as "heldUntil",
            coalesce((select max(former.version) from former_targets former
                       where former.tenant_id = subscriptions.tenant_id and former.subscription_id = subscriptions.id
                         and former.url is distinct from subscriptions.url), 0) as "formerUrlVersion"
       from subscriptions
      where subscriptions.tenant_id = change.tenant_id and subscriptions.id = change.id
        and (not only_successes or consecutive_failures > 0
             or subscriptions.last_success_at is null
             or subscriptions.last_success_at < change.last_at - interval '1 second')
      limit 1
        for no key update
   ) subscription`);

type ChangedHealth = Pick<HealthRow, "tenantId" | "id"> & { readonly health: Health };

const healthColumns: RowColumns<ChangedHealth> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  id: ["uuid", ({ id }) => id],
  consecutive_failures: ["integer", ({ health }) => health.consecutiveFailures],
  last_success_at: ["timestamptz", ({ health }) => health.lastSuccessAt],
  last_failure_at: ["timestamptz", ({ health }) => health.lastFailureAt],
  last_error: ["text", ({ health }) => health.lastError],
  failing_since: ["timestamptz", ({ health }) => health.failingSince],
  down_since: ["timestamptz", ({ health }) => health.downSince],
  held_until: ["timestamptz", ({ health }) => health.heldUntil],
};

// Locked rows are found by their place in the table, which cannot change meanwhile (`delivery/attempts.ts`).
const storeHealth = (changes: readonly ChangedHealth[]) =>
  toStatement(sql`
  with change as (
    select subscription.tid, change.*
      from ${rowsAs("change", healthColumns, changes)}
     cross join lateral (
       select ctid as tid from subscriptions
        where subscriptions.tenant_id = change.tenant_id and subscriptions.id = change.id
        limit 1
     ) subscription
  )
  update subscriptions
     set consecutive_failures = change.consecutive_failures, last_success_at = change.last_success_at,
         last_failure_at = change.last_failure_at, last_error = change.last_error,
         failing_since = change.failing_since, down_since = change.down_since, held_until = change.held_until
    from change
   where subscriptions.ctid = change.tid`);

/** Opens and closes notices in the order of `changes`. */
async function writeNotices(
  client: PoolClient,
  changes: readonly (NewNotice & { name: NoticeChange["name"] })[],
  failed: readonly settlement.MadeAttempt[],
): Promise<OpenedNotice[]> {
  const opened: OpenedNotice[] = [];
  let rest = changes;
  while (rest.length > 0) {
    const name = rest[0]?.name;
    const until = rest.findIndex((change) => change.name !== name);
    const run = until === -1 ? rest : rest.slice(0, until);
    // A notice that is twice in one statement would conflict with itself.
    const distinct = [...new Map(run.map((one) => [`${one.subscriptionId} ${one.kind}`, one])).values()];
    if (name === "open") opened.push(...(await openNotices(client, distinct)));
    else await closeNotices(client, distinct);
    rest = rest.slice(run.length);
  }
  const deliveries = failed
    .filter(({ delivery }) => delivery.tenantId !== CANARY_TENANT_ID)
    .map(({ delivery }) => delivery);
  return [...opened, ...(await noteFailedDeliveries(client, deliveries))];
}
