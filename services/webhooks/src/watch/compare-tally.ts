// Compares the events that a service has published, by its tally in `webhooks.tallies`, with those that have arrived here (decision
// 0017). Writes rows only for lost events, and one per service for the time that its tallies have reached.
import { type ConsumeResult, decodeTally, type IncomingMessage, type Tally } from "@tradepost/messaging";
import { type RowColumns, rowsAs } from "@tradepost/postgres";
import type { Logger } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import { type Kysely, sql } from "kysely";
import { ids } from "../delivery/delivery.ts";
import { readOffered } from "../offered-types.ts";
import { isNotDeleted } from "../statement-parts.ts";
import type { Tables } from "../tables.ts";
import { EVENTS_QUEUE } from "../topology.ts";

/**
 * Events enter webhooks.events before their tally is published. Once that queue is empty after the tally was received, each of
 * its events is stored, in progress or lost. Until then the tally waits.
 */
export function tallyHandler(options: {
  db: Kysely<Tables>;
  /** Tallies of other services were sent before the operator changed `WEBHOOKS_MORE_EVENTS`. */
  services: readonly string[];
  onMissing: () => void;
  logger: Logger;
}) {
  const { db, services, onMissing, logger } = options;
  return async (message: IncomingMessage): Promise<ConsumeResult> => {
    const tally = decodeTally(message.content);
    if (tally === null) {
      logger.error({ messageId: message.messageId }, "tally is unreadable; ignored");
      return "ack";
    }
    if (!services.includes(tally.service)) return "ack";
    if ((await message.countReady(EVENTS_QUEUE)) > 0) return "retry";
    if (await compareTally(db, tally)) onMissing();
    return "ack";
  };
}

/** Returns whether an event or an earlier tally is missing. Tallies may come repeatedly and in any order. */
async function compareTally(db: Kysely<Tables>, tally: Tally): Promise<boolean> {
  const { service } = tally;
  return await db.transaction().execute(async (tx) => {
    // Tallies of one service wait for each other; the first has no predecessor.
    await sql`
      insert into tallies (service, compared_until) values (${service}, ${tally.since}::timestamptz)
      on conflict do nothing`.execute(tx);
    await sql`select from tallies where service = ${service} for update`.execute(tx);
    const hasGap = await noteGap(tx, tally);
    await closeGaps(tx, tally);
    await advance(tx, tally);
    const isMissing = await noteMissing(tx, tally);
    failPoint("tally.compared");
    return hasGap || isMissing;
  });
}

async function noteGap(tx: Kysely<Tables>, { service, since }: Tally): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into tally_gaps (service, since, until)
    select service, compared_until, ${since}::timestamptz from tallies
     where service = ${service} and compared_until < ${since}::timestamptz
    on conflict (service, since) do update set until = greatest(tally_gaps.until, excluded.until)`.execute(
    tx,
  );
  return numAffectedRows !== 0n;
}

/** A tally inside a gap splits it. */
async function closeGaps(tx: Kysely<Tables>, { service, since, until }: Tally): Promise<void> {
  await sql`
    with touched as (
      delete from tally_gaps
       where service = ${service} and since < ${until}::timestamptz and until > ${since}::timestamptz
      returning *
    )
    insert into tally_gaps (service, since, until, noticed_at)
    select service, lower(rest), upper(rest), noticed_at
      from touched
     cross join unnest(tstzmultirange(tstzrange(touched.since, touched.until))
                       - tstzmultirange(tstzrange(${since}::timestamptz, ${until}::timestamptz))) as rest`.execute(
    tx,
  );
}

/** An older tally does not know what was published since. */
async function advance(tx: Kysely<Tables>, { service, until, unpublishedSince }: Tally): Promise<void> {
  await sql`
    update tallies set compared_until = ${until}::timestamptz, unpublished_since = ${unpublishedSince}::timestamptz
     where service = ${service} and compared_until <= ${until}::timestamptz`.execute(tx);
}

/**
 * The subquery is compared with null so that each event is looked up by its key. An event of orders from before the queue was bound
 * to its type is not missing.
 */
async function noteMissing(tx: Kysely<Tables>, { service, since, until, events }: Tally): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into missing_events (tenant_id, event_id, service, published_since, published_until)
    select tenant_id, id, ${service}, ${since}::timestamptz, ${until}::timestamptz
      from ${rowsAs("event", eventColumns, events)}
     where (select true from events where events.tenant_id = event.tenant_id and events.id = event.id) is null
       and ${sql.raw(isNotDeleted("event.tenant_id"))}
       ${service === "orders" ? sql`and id >= ${ids.firstIdAt((await readOffered(tx)).since)}` : sql``}
    on conflict do nothing`.execute(tx);
  return numAffectedRows !== 0n;
}

const eventColumns: RowColumns<Tally["events"][number]> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  id: ["uuid", ({ eventId }) => eventId],
};
