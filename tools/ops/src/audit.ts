// `ops audit`: the changes of all tenants, and the operators' commands, by time. `ops audit verify` checks the chains of the tenants'
// audit logs (interface §25).
import { verifyAuditLog } from "@tradepost/client";
import { auditChain, listTenants, readAudit, type Tables } from "@tradepost/gateway/operate";
import { tenantOf } from "@tradepost/postgres";
import type { Command } from "commander";
import type { Kysely } from "kysely";
import { type Operator, time } from "./arguments.ts";
import { table } from "./table.ts";
import { findTenant } from "./tenant-suspension.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const SHOWN_MAX = 1_000;

export function addAuditCommand(program: Command, operator: Operator): void {
  const audit = program
    .command("audit")
    .description(`what tenants and operators changed, oldest first; the latest ${SHOWN_MAX} changes`)
    .option("--since <time>", "from this time on (ISO 8601); default: 24 hours ago", time)
    .option("--tenant <slug>", "only this tenant's, and commands that name it; its slug or id")
    .option("--action <action>", "only this action, such as `api_key.created` or `ops dead purge`")
    .action(async ({ since, tenant, action }: { since?: Date; tenant?: string; action?: string }) => {
      const filter = {
        since: since ?? new Date(Date.now() - DAY_MS),
        tenant: tenant === undefined ? undefined : await findTenant(operator, tenant),
        ...{ action, limit: SHOWN_MAX },
      };
      const changes = await operator.on("gateway", (db) => readAudit(db, filter));
      if (changes.length === SHOWN_MAX)
        operator.note(`There may be more than the latest ${SHOWN_MAX} changes.`);
      const rows = changes.map(({ at, actor, action, target, changes: changed, tenantId }) => ({
        ...{ at, actor: actor.name, action },
        target: target === null ? null : `${target.type} ${target.id}`,
        ...{ changes: JSON.stringify(changed), tenantId },
      }));
      operator.print(changes, table(rows, "Nothing was changed."));
    });
  audit
    .command("verify")
    .description(
      "check the chains of the tenants' audit logs; exits with 1 if an entry was changed, removed or added",
    )
    // `--tenant` is an option of `audit`, before `verify`.
    .action(async (_options: unknown, command: Command) => {
      const { tenant: only } = command.optsWithGlobals<{ tenant?: string }>();
      const chosen = only === undefined ? undefined : await findTenant(operator, only);
      const results = await operator.on("gateway", async (db) => {
        const tenants = chosen === undefined ? await listTenants(db) : [chosen];
        const verified = [];
        for (const { id, slug } of tenants) verified.push({ tenant: slug, ...(await verifyChain(db, id)) });
        return verified;
      });
      const ok = results.every((result) => result.ok);
      const rows = results.map(({ tenant, entries, head, firstFault }) => ({
        ...{ tenant, entries, head: head.hash },
        fault: firstFault === null ? "" : `entry ${firstFault.n} was ${firstFault.kind}`,
      }));
      operator.print({ ok, tenants: results }, table(rows, "There are no tenants."));
      if (!ok) operator.fail();
    });
}

const PAGE_ENTRIES = 5_000;

/** Entries that are added meanwhile are left out. */
async function verifyChain(db: Kysely<Tables>, tenantId: string) {
  const tenant = tenantOf(db, tenantId);
  const { n, hash } = await auditChain.readHead(tenant);
  async function* lines() {
    for (let last = 0; last < n; ) {
      const entries = await auditChain.readChain(tenant, last, PAGE_ENTRIES);
      if (entries.length === 0) return;
      for (const entry of entries) if (entry.n <= n) yield JSON.stringify(entry);
      last = entries.at(-1)?.n ?? n;
    }
  }
  const head = { n, hash };
  return { ...(await verifyAuditLog(lines(), { head })), head };
}
