// `ops outbox`: the events that each service has committed and not yet published.
import type { Command } from "commander";
import { sql } from "kysely";
import type { Operator } from "./operator.ts";
import { table } from "./table.ts";
import { withDatabase } from "./with-database.ts";

const SERVICES_WITH_OUTBOX = ["gateway", "orders", "content", "webhooks"] as const;

export function addOutboxCommand(program: Command, operator: Operator): void {
  program
    .command("outbox")
    .description("events that are committed and not yet published")
    .action(async () => {
      const { databases } = operator.addresses();
      const rows = await Promise.all(
        SERVICES_WITH_OUTBOX.map(async (service) => ({ service, ...(await readOutbox(databases[service])) })),
      );
      operator.print(rows, table(rows, ""));
    });
}

async function readOutbox(
  url: string,
): Promise<{ pending: number; oldestAgeSeconds: number; parked: number }> {
  return await withDatabase<
    Record<string, never>,
    { pending: number; oldestAgeSeconds: number; parked: number }
  >(url, async (db) => {
    const { rows } = await sql<{ pending: number; oldestAgeSeconds: number; parked: number }>`
        select count(*) filter (where parked_at is null)::integer as pending,
               coalesce(extract(epoch from now() - min(occurred_at) filter (where parked_at is null)), 0)::float
                 as "oldestAgeSeconds",
               count(*) filter (where parked_at is not null)::integer as parked
          from outbox`.execute(db);
    const [outbox] = rows;
    if (outbox === undefined) throw new Error("the outbox could not be read");
    return outbox;
  });
}
