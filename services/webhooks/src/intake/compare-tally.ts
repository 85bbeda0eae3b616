// Compares the events that a service has published, according to its tally in `webhooks.tallies`, with those that have arrived here
// (decision 0017). Rows are written only for lost events, and one per service for the time up to which its tallies were compared.
import { type ConsumeResult, decodeTally, type IncomingMessage, type Tally } from "@tradepost/messaging";
import { inTransaction } from "@tradepost/postgres";
import type { Logger } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { EVENTS_QUEUE, isNotDeleted } from "../delivery/delivery.ts";

/**
 * Returns the handler of tallies. `onMissing` runs when events, or a tally, have not arrived.
 *
 * Events enter webhooks.events before their tally is published. So once that queue is empty after the tally was received, each of
 * its events is stored, in progress or lost. Until then the tally waits, for days if the queue has a backlog.
 */
export function tallyHandler(options: { pool: Pool; onMissing: () => void; logger: Logger }) {
  const { pool, onMissing, logger } = options;
  return async (message: IncomingMessage): Promise<ConsumeResult> => {
    const tally = decodeTally(message.content);
    if (tally === null) {
      logger.error({ messageId: message.messageId }, "tally is unreadable; ignored");
      return "ack";
    }
    if ((await message.countReady(EVENTS_QUEUE)) > 0) return "retry";
    if (await compareTally(pool, tally)) onMissing();
    return "ack";
  };
}

/**
 * Records the tally's events that have not arrived, and whether an earlier tally is missing. Repeating it changes nothing, and
 * tallies may come in any order. Returns whether anything is missing.
 */
async function compareTally(pool: Pool, tally: Tally): Promise<boolean> {
  const { service, since, until, events, unpublishedSince } = tally;
  return await inTransaction(pool, async (client) => {
    // Makes tallies of one service wait for each other. The first one has no predecessor.
    await client.query(
      "insert into tallies (service, compared_until) values ($1, $2::timestamptz) on conflict do nothing",
      [service, since],
    );
    await client.query("select from tallies where service = $1 for update", [service]);
    const gap = await client.query(NOTE_GAP, [service, since]);
    for (const closing of CLOSE_GAPS) await client.query(closing, [service, since, until]);
    await client.query(ADVANCE, [service, until, unpublishedSince]);
    const missing = await client.query(NOTE_MISSING, [
      events.map(({ tenantId }) => tenantId),
      events.map(({ eventId }) => eventId),
      service,
      since,
      until,
    ]);
    failPoint("tally.compared");
    return gap.rowCount !== 0 || missing.rowCount !== 0;
  });
}

// An older tally does not know what was published since.
const ADVANCE = `
  update tallies set compared_until = $2::timestamptz, unpublished_since = $3::timestamptz
   where service = $1 and compared_until <= $2::timestamptz`;

const NOTE_GAP = `
  insert into tally_gaps (service, since, until)
  select service, compared_until, $2::timestamptz from tallies
   where service = $1 and compared_until < $2::timestamptz
  on conflict (service, since) do update set until = greatest(tally_gaps.until, excluded.until)`;

// Keeps the parts of gaps that are outside the tally. A tally inside a gap splits it.
const CLOSE_GAPS = [
  `insert into tally_gaps (service, since, until, noticed_at)
   select service, $3::timestamptz, until, noticed_at from tally_gaps
    where service = $1 and since < $2::timestamptz and until > $3::timestamptz
   on conflict do nothing`,
  `delete from tally_gaps where service = $1 and since >= $2::timestamptz and until <= $3::timestamptz`,
  `update tally_gaps set until = $2::timestamptz
    where service = $1 and since < $2::timestamptz and until > $2::timestamptz and $3::timestamptz is not null`,
  `update tally_gaps set since = $3::timestamptz
    where service = $1 and since >= $2::timestamptz and since < $3::timestamptz and until > $3::timestamptz`,
];

// The subquery is compared with null so that each event is looked up by its key.
const NOTE_MISSING = `
  insert into missing_events (tenant_id, event_id, service, published_since, published_until)
  select tenant_id, id, $3, $4::timestamptz, $5::timestamptz
    from unnest($1::uuid[], $2::uuid[]) as event (tenant_id, id)
   where (select true from events where events.tenant_id = event.tenant_id and events.id = event.id) is null
     and ${isNotDeleted("event.tenant_id")}
  on conflict do nothing`;
