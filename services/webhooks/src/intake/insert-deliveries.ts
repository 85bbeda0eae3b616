// Inserts events with their deliveries, in one transaction of two round trips: reads the subscriptions that match, asks `sending`
// which deliveries start at once, and inserts them. If an earlier batch has shown which subscriptions match, one round trip is enough:
// the inserting statement compares them, and inserts nothing if one has changed.
import { queryTogether, readThenWrite, TAKE_ID, violatedConstraint } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { inserts } from "../delivery/delivery.ts";
import type { Sending } from "../sending/sending.ts";
import type { KnownMatches } from "./known-matches.ts";
import {
  type InsertedIfUnchanged,
  insertIfUnchanged,
  type MatchedSubscription,
  matchSubscriptions,
  type PlannedDelivery,
  planDeliveries,
} from "./match-subscriptions.ts";
import { occurredAtOf, type ReceivedEvent } from "./received-event.ts";

interface Options {
  pool: Pool;
  sending: Pick<Sending, "admit" | "lockMs">;
  knownMatches: KnownMatches;
}

/** `successDue`: the ids of the subscriptions whose next success is to be noted. */
export async function insertDeliveries(
  events: readonly ReceivedEvent[],
  data: ReadonlyMap<ReceivedEvent, string>,
  { pool, sending, knownMatches }: Options,
) {
  let admission = sending.admit<PlannedDelivery>([]);
  const plan = (subscriptions: readonly MatchedSubscription[]): inserts.Insertion => {
    const { deliveries, filtered } = planDeliveries(events, subscriptions);
    admission = sending.admit(deliveries);
    const byEvent = Map.groupBy(deliveries, ({ event }) => event);
    const inserted = events.map((event) => ({
      ...{ event, occurredAt: occurredAtOf(event), data: data.get(event), filtered: filtered.get(event) },
      matchCount: byEvent.get(event)?.length ?? 0,
    }));
    return { events: inserted, deliveries: admission.deliveries, lockMs: sending.lockMs };
  };
  try {
    const known = knownMatches.of(events);
    const written = known && (await insertKnown(pool, known, plan(known)));
    if (written) return { admission, ...written };
    admission.cancel();
    let matched: readonly MatchedSubscription[] = [];
    const newEvents = await readThenWrite<MatchedSubscription, { tenantId: string; id: string }>(
      pool,
      matchSubscriptions(events),
      (subscriptions) => {
        failPoint("fan-out.matched");
        matched = subscriptions;
        return inserts.fannedOut(plan(subscriptions));
      },
    );
    knownMatches.remember(events, matched);
    const due = matched.filter(({ isSuccessDue }) => isSuccessDue);
    return { admission, newEvents, successDue: new Set(due.map(({ subscriptionId }) => subscriptionId)) };
  } catch (error) {
    admission.cancel();
    throw error;
  }
}

/** Returns null if the subscriptions have changed, or if an event exists already. */
async function insertKnown(pool: Pool, known: readonly MatchedSubscription[], insertion: inserts.Insertion) {
  const statements = [TAKE_ID, insertIfUnchanged({ ...insertion, known })];
  const [, written] = await queryTogether(pool, statements).catch((error: unknown) => {
    if (violatedConstraint(error) === undefined) throw error;
    return [];
  });
  const rows = (written?.rows ?? []) as InsertedIfUnchanged[];
  const [first] = rows;
  if (!first?.isUnchanged) return null;
  const newEvents = rows.flatMap(({ tenantId, id }) =>
    tenantId === null || id === null ? [] : [{ tenantId, id }],
  );
  return { newEvents, successDue: new Set(first.successDue) };
}
