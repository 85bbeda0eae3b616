// `ops restored <service>`: makes the changes that a restored database needs, and lists the lost data. docs/runbooks/restore.md has
// the procedure.
import { Argument, type Command } from "commander";
import { SERVICES, type ServiceName } from "./addresses.ts";
import { afterRestore, type Report, type RestoredOptions } from "./after-restore.ts";
import { type Operator, time, wholeNumber } from "./arguments.ts";
import { table } from "./table.ts";

interface Options extends Omit<RestoredOptions, "to"> {
  to?: Date;
  nothingLost?: boolean;
}

export function addRestoredCommand(program: Command, operator: Operator): void {
  program
    .command("restored")
    .description(
      "after the database of a service was restored, and before the service starts: make it fit to run",
    )
    .addArgument(new Argument("<service>").choices(SERVICES))
    .option("--to <time>", "the moment it was restored to (ISO 8601)", time)
    .option("--nothing-lost", "it was moved or promoted, and no commit is missing; the service may run")
    .option("--lost-from <url>", "orders: a database that has the later orders, such as the damaged one")
    .option(
      "--numbers-ahead <count>",
      "orders: skip this many numbers of each tenant",
      wholeNumber(0, 1_000_000_000),
    )
    .option("--force", "also if nothing shows that the database was restored, as after a snapshot of a disk")
    .option("--dry-run", "change nothing")
    .action(async (name: ServiceName, { to, nothingLost, ...options }: Options) => {
      if ((to === undefined) === (nothingLost === undefined))
        throw new Error("Say the moment with --to <time>, or --nothing-lost.");
      if (to !== undefined && to.getTime() > Date.now()) throw new Error("--to is in the future.");
      const report = await afterRestore(operator, name, { ...options, to: to ?? null });
      operator.print(report, sentencesOf(report));
    });
}

function sentencesOf(report: Report): string {
  const { service: name, restoredTo, recorded, dryRun } = report;
  const moment = restoredTo === null ? "with nothing lost" : `to ${restoredTo.toISOString()}`;
  const done = dryRun ? "would be recorded; nothing was changed" : "is recorded";
  return [
    `The restore of ${name} ${moment} ${recorded ? done : "was recorded before"}.`,
    ...(recorded && restoredTo !== null
      ? [`Responses to Idempotency-Keys kept for another 24 hours: ${report.idempotencyRecords}.`]
      : []),
    ...ordersOf(report),
    ...webhooksOf(report),
    ...gatewayOf(report),
  ].join("\n\n");
}

function ordersOf({ numbers, lostOrders, erasedAgain = [] }: Report): string[] {
  if (numbers === undefined) return [];
  return [
    `Order numbers that no order gets:\n${table(numbers, "None.")}`,
    lostOrders === null || lostOrders === undefined
      ? "The lost orders are unknown. --lost-from names a database that has them."
      : `Lost orders, and orders in an earlier version:\n${table(lostOrders, "None.")}`,
    `Customers who were erased since, and whom the service erases again when it starts:\n${table(erasedAgain, "None.")}`,
  ];
}

function webhooksOf({ subscriptions, republished }: Report): string[] {
  if (subscriptions === undefined) return [];
  return [
    `Changes of subscriptions since, which are undone unless deleted again:\n${table(subscriptions, "None.")}`,
    republishedOf(republished),
  ];
}

function gatewayOf({ keys, auditHeads, sessionsEnded, setupLinksEnded, republished }: Report): string[] {
  if (auditHeads === undefined) return [];
  const ended = keys && [
    `Sessions ended: ${sessionsEnded}. Set-up links ended: ${setupLinksEnded}.`,
    `Keys that may be used, also if they were revoked since:\n${table(keys, "None.")}`,
  ];
  return [
    ...(ended ?? []),
    `The audit logs go on after these entries. Of a later head in the gateway's log, the entries in between are lost:\n${table(auditHeads, "None.")}`,
    republishedOf(republished),
  ];
}

function republishedOf(republished: Report["republished"]): string {
  return republished === null || republished === undefined
    ? "Events would be published again."
    : `Events published again: ${republished.republished} of ${republished.matched}.`;
}
