// `ops verify`: whether everything that was committed is accounted for, from the producers' outboxes to the last delivery.
import { publishedRetainedSince } from "@tradepost/messaging";
import type { Command } from "commander";
import type { Addresses } from "./addresses.ts";
import { time } from "./arguments.ts";
import { compareLedgers, type Fault } from "./compare-ledgers.ts";
import type { Operator } from "./operator.ts";
import { readBooks } from "./read-books.ts";
import { table } from "./table.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
// Longer than the broker's figures are old.
const LOOK_AGAIN_MS = 6_000;

const MEANING: Readonly<Record<Fault["kind"], string>> = {
  event_lost: "events were published and never reached the webhooks service, and the queue is empty",
  event_parked: "events were set aside, since no broker would take them",
  deliveries_differ: "events have not as many deliveries as subscriptions they matched",
  delivery_overdue: "deliveries are overdue, and nothing has come back to them",
  delivery_without_event: "deliveries have lost the event that they are to send",
  dead_letter_unpublished: "dead letters are not in webhooks.dead",
  dead_letter_without_failure: "dead letters are of deliveries that have not failed",
};

export function addVerifyCommand(program: Command, operator: Operator): void {
  program
    .command("verify")
    .description("whether every committed event is accounted for; exit status 1 where not")
    .option("--since <time>", "events from then on (ISO 8601), 7 days at most; else those of 24 hours", time)
    .action(async ({ since: wanted }: { since?: Date }) => {
      const now = Date.now();
      const since = new Date(
        Math.max(wanted?.getTime() ?? now - DAY_MS, publishedRetainedSince(new Date(now)).getTime()),
      );
      const { queued, tenants, faults } = await verify(operator.addresses(), since);
      const ok = faults.length === 0;
      operator.tell(
        { ok, since, queued, tenants, faults },
        [
          `Events since ${since.toISOString()}; ${queued} messages in webhooks.events.`,
          table(tenants, "There were none."),
          ...faults.map(sentenceOf),
          ok ? "Everything is accounted for." : "Not everything is accounted for.",
        ].join("\n\n"),
      );
      if (!ok) process.exitCode = 1;
    });
}

/**
 * What seems lost is looked for twice: a broker that has just been wiped is about to be sent everything again, and its
 * figures do not say so yet.
 */
export async function verify(addresses: Addresses, since: Date) {
  const books = await readBooks(addresses, since);
  const compared = compareLedgers(books);
  if (!compared.faults.some(({ kind }) => kind === "event_lost"))
    return { queued: books.queued, ...compared };
  await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  const later = await readBooks(addresses, since);
  return { queued: later.queued, ...compareLedgers(later) };
}

export function sentenceOf({ kind, tenantId, count, ids }: Fault): string {
  const named = ids.map((id) => `\n  ${id}`).join("");
  return `Tenant ${tenantId}: ${count} ${MEANING[kind]} (${kind}):${named}${count > ids.length ? "\n  …" : ""}`;
}
