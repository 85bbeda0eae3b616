// `ops events find|republish`: from a resource or an event to its webhooks, and events that consumers have missed.

import { CANARY_TENANT_ID, feedOnlyTypes, isSubscribable } from "@tradepost/event-catalog";
import { listTenants } from "@tradepost/gateway/operate";
import { type CommittedEvent, findEvents } from "@tradepost/messaging";
import { BY_INDEX } from "@tradepost/postgres";
import { findReceived, type ReceivedEvent } from "@tradepost/webhooks/operate";
import { type Command, Option } from "commander";
import type { Kysely } from "kysely";
import { SERVICES } from "./addresses.ts";
import { type Operator, positiveNumber, time, uuid } from "./arguments.ts";
import { type RepublishOptions, republish } from "./republish-events.ts";
import { table } from "./table.ts";

export function addEventsCommands(program: Command, operator: Operator): void {
  const events = program.command("events").description("events, from their commit to their webhooks");
  events
    .command("find")
    .description("show the events of an order, an entry, a redirect, … and the webhooks that came of them")
    .argument("<id>", "of the resource, or of an event", uuid)
    .option("--tenant <id>", "only this tenant's", uuid)
    .action(async (id: string, { tenant }: { tenant?: string }) => {
      const { found, notes } = await findEverywhere(operator, id, tenant);
      operator.print(found, sentencesOf(found, notes));
    });
  events
    .command("republish")
    .description("publish events again; consumers drop those that they have")
    .addOption(
      new Option("--service <name>", "the service that published them")
        .choices(SERVICES)
        .makeOptionMandatory(),
    )
    .option("--event <id>", "only this event", uuid)
    .option("--since <time>", "events published at or after this time (ISO 8601)", time)
    .option("--until <time>", "events published before this time (ISO 8601); default: now", time)
    .option("--per-second <n>", "at most this many per second; default: 400", positiveNumber)
    .action(async (options: RepublishOptions) => {
      const result = await republish(operator, options);
      operator.print(result, `Matched: ${result.matched}. Published again: ${result.republished}.`);
    });
}

const PRODUCERS = ["gateway", "orders", "content"] as const;
// An entry may have more events; the newest ones are shown.
const FOUND_MAX = 1_000;

type Committed = CommittedEvent & { readonly service: string };

async function findEverywhere(operator: Operator, id: string, tenantId: string | undefined) {
  const settings = { settings: BY_INDEX };
  const find = async (db: Kysely<Record<string, never>>, service: string): Promise<Committed[]> =>
    (await findEvents(db, { id, tenantId, limit: FOUND_MAX })).map((event) => ({ ...event, service }));
  const [tenants, ofEach] = await Promise.all([
    tenantId === undefined ? operator.ifReachable(operator.on("gateway", listTenants)) : [{ id: tenantId }],
    operator.onEach(PRODUCERS, find, settings),
  ]);
  const committed = ofEach.flat();
  // Without the gateway's database, only tenants with committed events are known.
  const tenantIds = tenants?.map((tenant) => tenant.id) ?? committed.map((event) => event.tenantId);
  if (tenantId === undefined) tenantIds.push(CANARY_TENANT_ID);
  const wanted = { id, tenantIds, committed, limit: FOUND_MAX };
  const received = operator.on("webhooks", (db) => findReceived(db, wanted), settings);
  return joined(committed, await operator.ifReachable(received));
}

/** `received` is null if the webhooks service's database is not reachable. */
function joined(committed: readonly Committed[], received: readonly ReceivedEvent[] | null) {
  const byId = new Map(received?.map((event) => [event.eventId, event]));
  const committedIds = new Set(committed.map(({ eventId }) => eventId));
  const found = [
    ...committed.map(({ eventId, type, occurredAt, service, state }) => {
      const event = byId.get(eventId);
      return {
        ...{ eventId, type, occurredAt, service },
        state: event === undefined ? state : "received",
        deliveries: event?.deliveries ?? [],
      };
    }),
    // Events that their service no longer retains, and examples that an admin sent.
    ...(received ?? [])
      .filter(({ eventId }) => !committedIds.has(eventId))
      .map(({ eventId, type, occurredAt, deliveries }) => {
        return { eventId, type, occurredAt, service: "webhooks", state: "received", deliveries };
      }),
  ].sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || (a.eventId < b.eventId ? -1 : 1));
  const notes = new Map(committed.map((event) => [event.eventId, noteOf(event, received !== null)]));
  return { found, notes };
}

function noteOf(
  { state, isParked, lastError, type, eventId, service }: Committed,
  isReceiptKnown: boolean,
): string {
  if (isParked)
    return `It is parked, because ${lastError ?? "it could not be published"}. \`npm run ops -- outbox unpark --event ${eventId}\` tries it again.`;
  if (state === "outbox")
    return lastError === null
      ? "It is committed and not published yet."
      : `It waits for its next try; the broker's last response was: ${lastError}.`;
  if (feedOnlyTypes.includes(type)) return "The change feed lists it. It is not published on an exchange.";
  if (!isSubscribable(type))
    return "It is published. Webhooks cannot subscribe to its type, unless WEBHOOKS_MORE_EVENTS has it.";
  if (!isReceiptKnown) return "It is published. Whether the webhooks service has received it is not known.";
  return `It is published, and the webhooks service has not received it. If webhooks.events is empty, it is lost there: \`npm run ops -- events republish --service ${service} --event ${eventId}\` sends it again.`;
}

function sentencesOf(found: ReturnType<typeof joined>["found"], notes: ReadonlyMap<string, string>): string {
  if (found.length === 0)
    return "No event is kept of a resource with this id, and none has this id. Services keep events for a limited time.";
  return found
    .map(({ eventId, type, occurredAt, service, state, deliveries }) => {
      const head = `${occurredAt.toISOString()}  ${type}  ${eventId}  (${service}): ${state}`;
      if (state !== "received") return `${head}\n  ${notes.get(eventId)}`;
      return deliveries.length === 0
        ? `${head}\n  No subscription matched it, or its deliveries are no longer in the log.`
        : `${head}\n${table(deliveries, "").replace(/^/gm, "  ")}`;
    })
    .join("\n\n");
}
