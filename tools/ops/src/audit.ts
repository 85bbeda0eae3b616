// `ops audit`: the changes of all tenants, and the operators' commands, by time.
import { readAudit } from "@tradepost/gateway/operate";
import type { Command } from "commander";
import { type Operator, time } from "./arguments.ts";
import { table } from "./table.ts";
import { findTenant } from "./tenant-suspension.ts";
import { onService } from "./with-database.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const SHOWN_MAX = 1_000;

export function addAuditCommand(program: Command, operator: Operator): void {
  program
    .command("audit")
    .description(`what tenants and operators changed, oldest first; the latest ${SHOWN_MAX} changes`)
    .option("--since <time>", "from this time on (ISO 8601); default: 24 hours ago", time)
    .option("--tenant <slug>", "only this tenant's, and commands that name it; its slug or id")
    .option("--action <action>", "only this action, such as `api_key.created` or `ops dead purge`")
    .action(async ({ since, tenant, action }: { since?: Date; tenant?: string; action?: string }) => {
      const { databases } = operator.addresses();
      const filter = {
        since: since ?? new Date(Date.now() - DAY_MS),
        tenant: tenant === undefined ? undefined : await findTenant(databases, tenant),
        ...{ action, limit: SHOWN_MAX },
      };
      const changes = await onService(databases, "gateway", (db) => readAudit(db, filter));
      if (changes.length === SHOWN_MAX)
        operator.note(`There may be more than the latest ${SHOWN_MAX} changes.`);
      const rows = changes.map(({ at, actor, action, target, changes: changed, tenantId }) => ({
        ...{ at, actor: actor.name, action },
        target: target === null ? null : `${target.type} ${target.id}`,
        ...{ changes: JSON.stringify(changed), tenantId },
      }));
      operator.print(changes, table(rows, "Nothing was changed."));
    });
}
