// `ops notices list`: the problems at the endpoints of all tenants that need somebody's attention (interface §17).
import { findNotices, type NoticeFilter, noticeKinds } from "@tradepost/webhooks/operate";
import { type Command, Option } from "commander";
import { type Operator, uuid } from "./arguments.ts";
import { table } from "./table.ts";

const LISTED_MAX = 1_000;
// The command counts the waiting deliveries of each open notice.
const STATEMENT_TIMEOUT_MS = 60_000;

export function addNoticesCommands(program: Command, operator: Operator): void {
  program
    .command("notices")
    .description("what needs somebody's care at endpoints")
    .command("list")
    .description(`list them, the latest opened first, at most ${LISTED_MAX}`)
    .option("--open", "only open notices")
    .addOption(new Option("--kind <kind>", "only notices of this kind").choices(noticeKinds))
    .option("--tenant <id>", "only this tenant's", uuid)
    .option("--subscription <id>", "only this subscription's", uuid)
    .action(async (filter: NoticeFilter) => {
      const notices = await operator.on("webhooks", (db) => findNotices(db, filter, LISTED_MAX), {
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      });
      const rows = notices.map(
        ({ tenantId, kind, subscriptionId, subject, openedAt, closedAt, whatHappensNext }) => ({
          ...{ tenantId, kind, subscriptionId, subject, openedAt, closedAt, whatHappensNext },
        }),
      );
      operator.print(notices, table(rows, "There are no notices."));
    });
}
