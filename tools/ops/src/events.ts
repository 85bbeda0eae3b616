// `ops events find|republish`: from a resource or an event to its webhooks, and events that consumers have missed.
import { type Command, Option } from "commander";
import { positiveNumber, time, uuid } from "./arguments.ts";
import { findEverywhere, sentencesOf } from "./find-events.ts";
import type { Operator } from "./operator.ts";
import { type RepublishOptions, republish, SERVICES_WITH_OUTBOX } from "./republish-events.ts";

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
        .choices(SERVICES_WITH_OUTBOX)
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
