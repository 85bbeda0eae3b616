// `ops verify`: whether every committed event is accounted for, from the producers' outboxes to the last delivery.
import { publishedRetainedSince } from "@tradepost/messaging";
import { sleep } from "@tradepost/runtime";
import type { Command } from "commander";
import { accountForEvents, type Fault } from "./account-for-events.ts";
import type { Addresses } from "./addresses.ts";
import { time } from "./arguments.ts";
import type { Operator } from "./operator.ts";
import { readAccountingInput } from "./read-accounting-input.ts";
import { table } from "./table.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
// Longer than the broker's figures can be out of date, which is 5 seconds.
const REREAD_AFTER_MS = 6_000;

const MEANING: Readonly<Record<Fault["kind"], string>> = {
  event_lost: "events were published and never reached the webhooks service, and the queue is empty",
  event_parked: "events were set aside because the broker refused them",
  deliveries_differ: "events have a number of deliveries other than the number of subscriptions they matched",
  delivery_overdue: "deliveries are overdue, and nothing has retried them",
  delivery_without_event: "deliveries have no event to send",
  dead_letter_unpublished: "dead letters are not in webhooks.dead",
  dead_letter_without_failure: "dead letters belong to deliveries that have not failed",
};

export function addVerifyCommand(program: Command, operator: Operator): void {
  program
    .command("verify")
    .description("check that every committed event is accounted for; exits with 1 if not")
    .option(
      "--since <time>",
      "events from this time on (ISO 8601), at most 7 days ago; default: 24 hours ago",
      time,
    )
    .action(async ({ since: wanted }: { since?: Date }) => {
      const now = Date.now();
      const since = new Date(
        Math.max(wanted?.getTime() ?? now - DAY_MS, publishedRetainedSince(new Date(now)).getTime()),
      );
      const { queued, tenants, faults } = await verify(operator.addresses(), since);
      const ok = faults.length === 0;
      operator.print(
        { ok, since, queued, tenants, faults },
        [
          `Events since ${since.toISOString()}; ${queued} messages in webhooks.events.`,
          table(tenants, "There were no events."),
          ...faults.map(sentenceOf),
          ok ? "Everything is accounted for." : "Not everything is accounted for.",
        ].join("\n\n"),
      );
      if (!ok) operator.fail();
    });
}

/**
 * Reads a second time before it reports a lost event: after the broker lost its data, a relay is about to publish the
 * events again, and the first figures do not show that yet.
 */
export async function verify(addresses: Addresses, since: Date) {
  const first = await readAccountingInput(addresses, since);
  const result = accountForEvents(first);
  if (!result.faults.some(({ kind }) => kind === "event_lost")) return { queued: first.queued, ...result };
  await sleep(REREAD_AFTER_MS);
  const second = await readAccountingInput(addresses, since);
  return { queued: second.queued, ...accountForEvents(second) };
}

export function sentenceOf({ kind, tenantId, count, ids }: Fault): string {
  const named = ids.map((id) => `\n  ${id}`).join("");
  return `Tenant ${tenantId}: ${count} ${MEANING[kind]} (${kind}):${named}${count > ids.length ? "\n  …" : ""}`;
}
