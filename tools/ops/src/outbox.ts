// `ops outbox` and `ops outbox unpark`: the events that each service has committed but not yet published.

import { readBacklog } from "@tradepost/webhooks/operate";
import { type Command, Option } from "commander";
import { sql } from "kysely";
import { SERVICES, type ServiceName } from "./addresses.ts";
import { type Operator, uuid } from "./arguments.ts";
import { table } from "./table.ts";

// Further parked events are only counted.
const PARKED_SHOWN_MAX = 20;
const HOW_TO_UNPARK =
  "Parked events are not published until `npm run ops -- outbox unpark --all` or `--event <id>`.";

export function addOutboxCommand(program: Command, operator: Operator): void {
  const outbox = program
    .command("outbox")
    .description("events that are committed and not yet published")
    .action(async () => {
      const rows = await readOutboxes(operator);
      const withParked = rows.filter((row) => row.parked > 0).map(({ service }) => service);
      const parked = await readParked(operator, withParked);
      const shown = [table(rows, ""), ...(parked.length > 0 ? [table(parked, ""), HOW_TO_UNPARK] : [])];
      operator.print(rows, shown.join("\n\n"));
    });
  outbox
    .command("unpark")
    .description("try to publish parked events again")
    .option("--event <id>", "only this event", uuid)
    .option("--all", "all of them")
    .action(async ({ event, all }: { event?: string; all?: boolean }) => {
      if ((event === undefined) === (all === undefined))
        throw new Error("Select parked events with either --event <id> or --all.");
      const counts = await operator.onEach(SERVICES, async (db) => {
        const { numAffectedRows } = await sql`
          update outbox set parked_at = null, attempts = 0, next_try_at = now(), last_error = null
           where parked_at is not null and (${event ?? null}::uuid is null or event_id = ${event ?? null}::uuid)`.execute(
          db,
        );
        return Number(numAffectedRows ?? 0);
      });
      const unparked = counts.reduce((sum, count) => sum + count, 0);
      if (event !== undefined && unparked === 0) operator.note("No parked event has this id.");
      operator.print({ unparked }, `Unparked: ${unparked}.`);
    });
}

function readOutboxes(operator: Operator) {
  return operator.onEach(SERVICES, async (db, service) => {
    const { rows } = await sql<Record<"pending" | "oldestAgeSeconds" | "parked", number>>`
      select count(*) filter (where parked_at is null)::integer as pending,
             coalesce(extract(epoch from now() - min(occurred_at) filter (where parked_at is null)), 0)::float
               as "oldestAgeSeconds",
             count(*) filter (where parked_at is not null)::integer as parked
        from outbox`.execute(db);
    const [outbox] = rows;
    if (outbox === undefined) throw new Error("the outbox could not be read");
    return { service, ...outbox };
  });
}

async function readParked(operator: Operator, services: readonly ServiceName[]) {
  const ofEach = await operator.onEach(services, async (db, service) => {
    const { rows } = await sql<{ eventId: string; type: string; parkedAt: Date; reason: string | null }>`
      select event_id as "eventId", type, parked_at as "parkedAt", last_error as reason
        from outbox where parked_at is not null order by id limit ${PARKED_SHOWN_MAX}`.execute(db);
    return rows.map((row) => ({ service, ...row }));
  });
  return ofEach.flat();
}

// Half a million deliveries are read in less than a second.
const STATEMENT_TIMEOUT_MS = 60_000;

export function addBacklogCommand(program: Command, operator: Operator): void {
  program
    .command("backlog")
    .description("deliveries that wait to be sent, the oldest first")
    .addOption(
      new Option("--by <what>", "one line for each").choices(["tenant", "endpoint"]).default("tenant"),
    )
    .action(async ({ by }: { by: "tenant" | "endpoint" }) => {
      const options = { statementTimeoutMs: STATEMENT_TIMEOUT_MS };
      const [rows, outboxes] = await Promise.all([
        operator.ifReachable(operator.on("webhooks", (db) => readBacklog(db, by), options)),
        readOutboxes(operator),
      ]);
      const unpublished = outboxes.filter(({ pending }) => pending > 0);
      const notCounted = unpublished.map(
        ({ service, pending, oldestAgeSeconds }) =>
          `${pending} events of ${service} are not published yet, the oldest for ${Math.round(oldestAgeSeconds)} s. Their deliveries are not counted.`,
      );
      const shown = [...(rows === null ? [] : [table(rows, "No deliveries wait.")]), ...notCounted];
      operator.print(rows ?? [], shown.join("\n\n"));
    });
}
