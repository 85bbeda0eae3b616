// `ops events republish`: publishes retained events of a service again, and says which events it leaves out.
import { feedOnlyTypes, isSubscribable } from "@tradepost/event-catalog";
import {
  AUDIT_EXCHANGE,
  countRetained,
  EVENTS_EXCHANGE,
  type Publisher,
  type PublishOutcome,
  type Republication,
  readClock,
  readRetention,
  republishEvents,
  tallyAgain,
} from "@tradepost/messaging";
import { ONLY_IN_INDEX_ORDER } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import type { ServiceName } from "./addresses.ts";
import type { Operator } from "./arguments.ts";
import { withPublisher } from "./with-database.ts";

const COUNT_TIMEOUT_MS = 5 * 60 * 1_000;

export interface RepublishOptions {
  service: ServiceName;
  event?: string;
  since?: Date;
  until?: Date;
  perSecond?: number;
}

/** The command's exit status is 1 if it ends before the last event. */
export async function republish(
  operator: Operator,
  options: RepublishOptions,
): Promise<{ matched: number; republished: number }> {
  const { service, event: eventId, since, until, perSecond } = options;
  if ((eventId === undefined) === (since === undefined))
    throw new Error("Select events with either --event <id> or --since <time>.");
  if (eventId !== undefined && until !== undefined)
    throw new Error("--until goes with --since, not with --event.");
  if (since !== undefined && until !== undefined && since >= until)
    throw new Error("--since must be before --until.");
  const { amqpUrl } = operator.addresses();
  const isAudit = service === "webhooks";
  const exchange = isAudit ? AUDIT_EXCHANGE : EVENTS_EXCHANGE;
  const logger = createLogger("ops", "silent");
  return await operator.on(
    service,
    async (_, pool) => {
      // Uses the database's clock, because it set the times of publication.
      const now = await readClock(pool);
      const wanted: Republication =
        eventId !== undefined ? { eventId } : { since: since ?? now, until: until ?? now };
      for (const note of notesOn(await readRetention(pool, wanted), service, wanted)) operator.note(note);
      const matched = await countRetained(pool, wanted, feedOnlyTypes);
      if (matched === 0) {
        if ("since" in wanted) await tallyAgain(pool, wanted.since);
        return { matched, republished: 0 };
      }
      const stopping = new AbortController();
      process.once("SIGINT", () => stopping.abort());
      const publishAgain = async (publisher: Publisher) => {
        const { republished, continueAt, refusedAs } = await republishEvents({
          ...{ pool, publisher, exchange, wanted, perSecond, logger },
          mustRoute: isAudit ? () => true : isSubscribable,
          feedOnlyTypes,
          signal: stopping.signal,
          onProgress: progressOf(operator, matched),
        });
        if (continueAt !== null) operator.note(whyEarly(refusedAs) + howToContinue(wanted, continueAt));
        else if ("since" in wanted) await tallyAgain(pool, wanted.since);
        if (republished < matched) operator.fail();
        return { matched, republished };
      };
      return await withPublisher(amqpUrl, publishAgain, (channel) => channel.checkExchange(exchange));
    },
    { statementTimeoutMs: COUNT_TIMEOUT_MS, settings: ONLY_IN_INDEX_ORDER },
  );
}

function whyEarly(refusedAs: PublishOutcome | null): string {
  if (refusedAs === null) return "Ended early.";
  return refusedAs === "unroutable"
    ? "Ended early: the queue of the events' consumer does not exist. The consumer declares it when it starts."
    : "Ended early: the broker accepts no events.";
}

function howToContinue(wanted: Republication, continueAt: Date): string {
  if ("eventId" in wanted) return " Run the command again.";
  return ` Continue with --since ${continueAt.toISOString()} --until ${wanted.until.toISOString()}.`;
}

const PROGRESS_EVERY_MS = 10_000;

function progressOf(operator: Operator, matched: number): (republished: number, isWaiting: boolean) => void {
  let printAt = performance.now() + PROGRESS_EVERY_MS;
  return (republished, isWaiting) => {
    if (performance.now() < printAt) return;
    printAt = performance.now() + PROGRESS_EVERY_MS;
    const waiting = isWaiting ? " Waiting for the broker, which accepts no events." : "";
    operator.note(`${republished} of ${matched} published again.${waiting}`);
  };
}

function notesOn(
  { parked, pending, oldest, state, type }: Awaited<ReturnType<typeof readRetention>>,
  service: string,
  wanted: Republication,
): string[] {
  const outbox = `the outbox of ${service}`;
  const oldestAt = oldest?.toISOString();
  const notes =
    "eventId" in wanted
      ? [
          state === "parked" &&
            `The event is parked in ${outbox}. \`npm run ops -- outbox unpark --event ${wanted.eventId}\` tries it again.`,
          state === "pending" && `The event is still in ${outbox}, which publishes it.`,
          state === null &&
            `${service} keeps no event with this id${oldestAt === undefined ? "" : `; its oldest was published at ${oldestAt}`}.`,
          feedOnlyTypes.includes(type ?? "") && `Only the change feed lists ${type}. It is not published.`,
        ]
      : [
          oldest === null && `${service} keeps no published events.`,
          oldest !== null &&
            wanted.since < oldest &&
            `Events published before ${oldestAt} are no longer kept by ${service}.`,
          pending > 0 && `${eventsAre(pending)} still in ${outbox}, which publishes them.`,
          parked > 0 &&
            `${eventsAre(parked)} parked in ${outbox} and left out; see \`npm run ops -- outbox\`.`,
        ];
  return notes.filter((note) => typeof note === "string");
}

function eventsAre(count: number): string {
  return count === 1 ? "1 event is" : `${count} events are`;
}
