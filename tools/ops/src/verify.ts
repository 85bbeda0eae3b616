// `ops verify`: checks that every committed event is accounted for, from the producers' outboxes to the last delivery.
import { publishedRetainedSince } from "@tradepost/messaging";
import { sleep } from "@tradepost/runtime";
import { EVENTS_QUEUE } from "@tradepost/webhooks/operate";
import type { Command } from "commander";
import { accountForEvents, type Fault } from "./account-for-events.ts";
import { SERVICES } from "./addresses.ts";
import { type Operator, time } from "./arguments.ts";
import { type Comparison, compareDatabases } from "./compare-databases.ts";
import { countMessages, readAccountingInput, readOtherDatabases } from "./read-accounting-input.ts";
import { table } from "./table.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
// Longer than the age of the broker's counts, which is up to 5 seconds.
const REREAD_AFTER_MS = 6_000;

const MEANING: Readonly<Record<Fault["kind"], string>> = {
  event_lost: "events were published and never reached the webhooks service, and the queue is empty",
  event_parked: "events were set aside because the broker refused them",
  deliveries_differ: "events have a number of deliveries other than the number of subscriptions they matched",
  delivery_overdue: "deliveries are overdue, and nothing has retried them",
  delivery_without_event: "deliveries have no event to send",
  dead_letter_unpublished: "dead letters are not in webhooks.dead",
  dead_letter_without_failure: "dead letters belong to deliveries that have not failed",
  restore_unrecorded:
    "databases were restored, moved or promoted; run `ops restored` for each before its service starts",
  event_unknown:
    "events reached the webhooks service, and the service that published them no longer has them",
  subscription_missing: "subscriptions were created and not deleted, by the audit log, and do not exist",
  subscription_undeleted: "subscriptions were deleted, by the audit log, and exist",
  tenant_missing: "tenants have data in other services, and the gateway does not know them",
  erased_returned:
    "customers were erased, and a restored database has them again; run `ops restored orders` as for any restore",
  tenant_undeleted:
    "databases have data of this tenant, which was deleted; run `ops tenant delete` with its id and --yes again",
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
      const away = await findAway(operator);
      if (away.length > 0)
        return operator.print(
          { ok: false, unreachable: away },
          "Nothing was verified, because that needs all databases and the broker.",
        );
      const now = Date.now();
      const since = new Date(
        Math.max(wanted?.getTime() ?? now - DAY_MS, publishedRetainedSince(new Date(now)).getTime()),
      );
      const { queued, tenants, restores, faults } = await verify(operator, since);
      const ok = faults.length === 0;
      operator.print(
        { ok, since, queued, tenants, restores, faults },
        [
          `Events since ${since.toISOString()}; ${queued} messages in webhooks.events.`,
          table(tenants, "There were no events."),
          ...restores.map(restoreSentence),
          ...faults.map(sentenceOf),
          ok ? "Everything is accounted for." : "Not everything is accounted for.",
        ].join("\n\n"),
      );
      if (!ok) operator.fail();
    });
}

async function findAway(operator: Operator): Promise<string[]> {
  const { ifReachable, on } = operator;
  const asked = await Promise.all([
    ifReachable(countMessages(operator, EVENTS_QUEUE)),
    ...SERVICES.map((service) => ifReachable(on(service, async () => true))),
  ]);
  return ["broker", ...SERVICES].filter((_, index) => asked[index] === null);
}

/**
 * Reads a second time before it reports a lost event: if the broker has lost its data, a relay is about to publish the events
 * again, and the first figures do not show that yet. It does the same before it reports that databases differ, because data may be
 * on its way from one to another.
 */
async function verify(operator: Operator, since: Date) {
  const first = await readAccountingInput(operator, since);
  const firstOthers = await readOtherDatabases(operator);
  const result = accountForEvents(first);
  const compared = compareDatabases({ ...firstOthers, ...first });
  const isLost = result.faults.some(({ kind }) => kind === "event_lost");
  if (!isLost && compared.faults.length === 0) return resultOf(first, result, compared);
  await sleep(REREAD_AFTER_MS);
  const second = await readAccountingInput(operator, since);
  // Uses the first reading of the webhooks service's events, because their commits are visible to the producers' second reading.
  const input = { ...second, ...(await readOtherDatabases(operator)), webhooks: first.webhooks };
  return resultOf(second, accountForEvents(second), compareDatabases(input));
}

function resultOf(
  { queued }: { queued: number },
  { tenants, faults }: ReturnType<typeof accountForEvents>,
  compared: Comparison,
) {
  return { queued, tenants, restores: compared.restores, faults: [...faults, ...compared.faults] };
}

function sentenceOf({ kind, tenantId, count, ids }: Fault): string {
  const named = ids.map((id) => `\n  ${id}`).join("");
  return `${tenantId === null ? "Platform" : `Tenant ${tenantId}`}: ${count} ${MEANING[kind]} (${kind}):${named}${count > ids.length ? "\n  …" : ""}`;
}

function restoreSentence({ service, at, restoredTo, lostEvents }: Comparison["restores"][number]): string {
  return `The database of ${service} was restored to ${restoredTo.toISOString()} at ${at.toISOString()}: it has lost ${lostEvents} events that the webhooks service has.`;
}
