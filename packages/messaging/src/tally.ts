// Reports which events a service has published, so that their consumer notices if some are lost: otherwise a queue that somebody purged
// leaves no trace. A tally lists the events that were published since the last tally
// (docs/decisions/0017-lost-events-are-noticed-by-tallies.md).
//
// Tallies are complete. The row in `event_tally` says up to which time events are tallied; one replica at a time works on it, and that time
// advances only after the broker has confirmed the tally. So nothing is left out if a process dies, if the broker is down or if the
// consumer's queue is full. Tallies pause during a replay.
import { inTransaction } from "@tradepost/postgres";
import { type Logger, newId, newTraceparent, type Repetition, repeatOrWarn } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import type { Publisher } from "./publisher.ts";

/** The routing key on `platform.events`, with a prefix that the service's user may publish. No event has this type. */
export function tallyKey(service: string): string {
  return `${service === "orders" ? "order" : service}.tally`;
}

/** No real tenant has it. */
const NO_TENANT_ID = "00000000-0000-8000-8000-0074616c6c79";
// A tally with this many events has about 200 KB.
const EVENTS_MAX = 10_000;
const NEXT_BATCH_AFTER_MS = 1_000;
const ID_BYTES = 16;

/** Published at or after `since` and before `until`. */
export interface Tally {
  readonly service: string;
  /** Times as Postgres writes them, because a Date would lose the microseconds. */
  readonly since: string;
  readonly until: string;
  readonly events: readonly { readonly tenantId: string; readonly eventId: string }[];
  /** The time of the oldest event that no tally has yet. Null if all are tallied, or if an older release sent the tally. */
  readonly unpublishedSince: string | null;
}

/** Publishes a tally every `everyMs`. Its period ends `everyMs` before its creation, which leaves consumers and relays time. */
export function startTally(options: {
  service: string;
  pool: Pool;
  publisher: Publisher;
  exchange: string;
  types: readonly string[];
  everyMs: number;
  isUp: () => boolean;
  logger: Logger;
}): Repetition {
  const { pool, everyMs, isUp, logger } = options;
  return repeatOrWarn(logger, "published events could not be tallied; retrying", everyMs, async () => {
    if (!isUp()) return everyMs;
    const hasMore = await inTransaction(pool, (client) => publishTally(client, options));
    return hasMore ? Math.min(NEXT_BATCH_AFTER_MS, everyMs) : everyMs;
  });
}

/** Returns whether there is more to tally now. */
async function publishTally(client: PoolClient, options: Parameters<typeof startTally>[0]): Promise<boolean> {
  const { service, publisher, exchange, types, everyMs } = options;
  const { rows: claims } = await client.query<Record<"since" | "until" | "talliedUntil", string>>(CLAIM, [
    everyMs,
  ]);
  const [claim] = claims;
  if (claim === undefined) return false;
  const { rows } = await client.query<TalliedRow>(PUBLISHED, [claim.since, claim.until, types, EVENTS_MAX]);
  const hasMore = rows.length >= EVENTS_MAX;
  const { rows: oldest } = await client.query<Pick<Tally, "unpublishedSince">>(UNPUBLISHED, [
    claim.until,
    types,
  ]);
  const tally: Tally = {
    service,
    since: claim.since,
    until: (hasMore ? rows.at(-1)?.next : undefined) ?? claim.until,
    events: rows,
    unpublishedSince: oldest[0]?.unpublishedSince ?? null,
  };
  failPoint("tally.claimed");
  const id = newId();
  const outcome = await publisher.publish({
    exchange,
    routingKey: tallyKey(service),
    messageId: id,
    type: tallyKey(service),
    headers: { tenant_id: NO_TENANT_ID, traceparent: newTraceparent() },
    // This fails while the webhooks service's queue is missing or full. The next tally then covers a longer time.
    mandatory: true,
    content: encodeTally(id, tally),
  });
  if (outcome !== "confirmed") return false;
  failPoint("tally.confirmed");
  await client.query(ADVANCE, [tally.until, claim.talliedUntil]);
  return hasMore;
}

type TalliedRow = Record<"tenantId" | "eventId" | "next", string>;

/** In the form of an event, for consumers that receive all messages. */
function encodeTally(id: string, { service, since, until, events, unpublishedSince }: Tally): Buffer {
  const byTenant = Map.groupBy(events, ({ tenantId }) => tenantId);
  return Buffer.from(
    JSON.stringify({
      id,
      type: tallyKey(service),
      tenant_id: NO_TENANT_ID,
      occurred_at: new Date().toISOString(),
      request_id: id,
      actor: { type: "system", id: service, name: "Tally" },
      data: {
        tally: {
          ...{ service, since, until, unpublishedSince },
          eventIds: Object.fromEntries(
            [...byTenant].map(([tenantId, ofOne]) => [
              tenantId,
              packIds(ofOne.map(({ eventId }) => eventId)),
            ]),
          ),
        },
      },
    }),
  );
}

const tallyMessage = z.object({
  data: z.object({
    tally: z.object({
      service: z.string(),
      since: z.string(),
      until: z.string(),
      unpublishedSince: z.string().nullable().default(null),
      eventIds: z.record(z.uuid(), z.string()),
    }),
  }),
});

/** Returns null for a message that is not a tally. */
export function decodeTally(content: Buffer): Tally | null {
  let json: unknown;
  try {
    json = JSON.parse(content.toString("utf8"));
  } catch {
    return null;
  }
  const parsed = tallyMessage.safeParse(json);
  if (!parsed.success) return null;
  const { eventIds, ...tally } = parsed.data.data.tally;
  return {
    ...tally,
    events: Object.entries(eventIds).flatMap(([tenantId, packed]) =>
      unpackIds(packed).map((eventId) => ({ tenantId, eventId })),
    ),
  };
}

function packIds(ids: readonly string[]): string {
  return Buffer.concat(ids.map((id) => Buffer.from(id.replaceAll("-", ""), "hex"))).toString("base64");
}

function unpackIds(packed: string): string[] {
  const bytes = Buffer.from(packed, "base64");
  return Array.from({ length: Math.floor(bytes.length / ID_BYTES) }, (_, index) =>
    bytes
      .toString("hex", index * ID_BYTES, (index + 1) * ID_BYTES)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
  );
}

// Returns no row while another replica is tallying, while a replay publishes events again, or before the next tally is due. The
// lock is not on the row: a row lock would give the transaction an id, and while the transaction waits for the broker, the change
// feed would hide all later events.
//
// If the last tally ends more than a day ahead, the database's clock was ahead and has been set right. New events are then
// published before that end, so everything that the consumer may still know is tallied again.
const CLAIM = `
  select since::text as since, (clock_timestamp() - $1::integer * interval '1 ms')::text as until,
         tallied_until::text as "talliedUntil"
    from (select case when tallied_until < now() + interval '1 day' then tallied_until
                      else now() - interval '7 days' end as since,
                 tallied_until
            from event_tally) as last_tally
   where since <= clock_timestamp() - 2 * $1::integer * interval '1 ms'
     and not exists (select from replay)
     and pg_try_advisory_xact_lock(hashtext('tradepost.tally'), 0)`;

// Does nothing if an earlier time was set since the claim: the next tally begins there.
const ADVANCE =
  "update event_tally set tallied_until = $1::timestamptz where tallied_until = $2::timestamptz";

// All events of a relay's batch have the same publication time, so there may be some more rows than the limit. The consumer may no
// longer know events committed more than 7 days before.
const PUBLISHED = `
  select tenant_id as "tenantId", event_id as "eventId", (published_at + interval '1 microsecond')::text as next
    from published_events
   where published_at >= greatest($1::timestamptz, now() - interval '7 days') and published_at < $2::timestamptz
     and type = any($3::text[]) and occurred_at >= now() - interval '7 days'
   order by published_at
   fetch first $4 rows with ties`;

// Events in the outbox, and those that were published too late for the tally.
const UNPUBLISHED = `
  select least((select min(occurred_at) from outbox where type = any($2::text[])),
               (select min(occurred_at) from published_events
                 where published_at >= $1::timestamptz and type = any($2::text[])))::text as "unpublishedSince"`;

/** Used after events were published again, which may close a gap in the tallies. */
export const TALLY_AGAIN = "update event_tally set tallied_until = least(tallied_until, $1::timestamptz)";

interface MissingMessages {
  readonly service: string;
  readonly since: Date | null;
  readonly until: Date | null;
  readonly facts: object;
}

/**
 * Returns a function that logs what is missing of each service whenever the command changes, and once when nothing is missing any
 * more. It returns whether anything is missing. `what` is the subject of the line, such as `published events`.
 */
export function reportMissing(
  logger: Logger,
  what: string,
): (services: readonly MissingMessages[]) => boolean {
  let reported = new Map<string, string>();
  return (services) => {
    const found = new Map(
      services.flatMap((missing) => (missing.since === null ? [] : [[missing.service, commandFor(missing)]])),
    );
    for (const { service, facts } of services) {
      const command = found.get(service);
      if (command !== undefined && command !== reported.get(service))
        logger.error({ producer: service, ...facts, command }, `${what} did not arrive and may be lost`);
      if (command === undefined && reported.has(service))
        logger.info({ producer: service }, `no ${what} are known to be missing any more`);
    }
    reported = found;
    return found.size > 0;
  };
}

function commandFor({ service, since, until }: MissingMessages): string {
  return `npm run ops -- events republish --service ${service} --since ${since?.toISOString()} --until ${until?.toISOString()}`;
}
