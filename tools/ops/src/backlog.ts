// `ops backlog`: the deliveries that wait to be sent, with their age and their tenants.
import { type Backlog, readBacklog, type Tables } from "@tradepost/webhooks/operate";
import { type Command, Option } from "commander";
import type { Operator } from "./operator.ts";
import { readOutboxes } from "./outbox.ts";
import { table } from "./table.ts";
import { withDatabase } from "./with-database.ts";

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
      const { databases } = operator.addresses();
      const [rows, outboxes] = await Promise.all([
        operator.ifReachable(
          withDatabase<Tables, Backlog[]>(databases.webhooks, (db) => readBacklog(db, by), {
            statementTimeoutMs: STATEMENT_TIMEOUT_MS,
          }),
        ),
        readOutboxes(operator),
      ]);
      const unpublished = outboxes.filter(({ pending }) => pending > 0);
      operator.print(
        rows ?? [],
        [
          ...(rows === null ? [] : [table(rows, "No deliveries wait.")]),
          ...unpublished.map(
            ({ service, pending, oldestAgeSeconds }) =>
              `${pending} events of ${service} are not published yet, the oldest for ${Math.round(oldestAgeSeconds)} s. Their deliveries are not counted.`,
          ),
        ].join("\n\n"),
      );
    });
}
