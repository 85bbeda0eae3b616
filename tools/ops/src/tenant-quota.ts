// `ops tenant quota`: shows and sets how many bytes of media and events a tenant may store (interface §19).
import {
  type QuotaChange,
  type ShownQuotas,
  setQuotas,
  showQuotas,
  type Tables,
} from "@tradepost/gateway/operate";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Operator } from "./operator.ts";
import { auditActor } from "./record-command.ts";
import { table } from "./table.ts";
import { findTenant } from "./tenant-suspension.ts";
import { withDatabase } from "./with-database.ts";

interface QuotaOptions {
  mediaBytes?: number;
  eventBytes?: number;
  default?: true;
}

export function addQuotaCommand(tenant: Command, operator: Operator): void {
  tenant
    .command("quota")
    .description("show or set how many bytes a tenant may store; 0 means no limit")
    .argument("<slug>", "the tenant's slug or id")
    .option("--media-bytes <n>", "of media", bytes)
    .option("--event-bytes <n>", "of events that are kept", bytes)
    .addOption(
      new Option("--default", "go back to the gateway's settings for both").conflicts([
        "mediaBytes",
        "eventBytes",
      ]),
    )
    .action(async (slug: string, options: QuotaOptions) => {
      const { databases } = operator.addresses();
      const { id } = await findTenant(databases, slug);
      const change = changeOf(options);
      const shown = await withDatabase<Tables, ShownQuotas>(databases.gateway, (db) =>
        Object.keys(change).length === 0 ? showQuotas(db, id) : setQuotas(db, id, change, auditActor()),
      );
      const rows = (["mediaBytes", "eventBytes"] as const).map((quota) => ({
        quota,
        bytes: shown.quotas[quota] ?? "default",
        used: shown.used[quota] ?? "not counted yet",
      }));
      operator.print({ tenantId: id, ...shown }, table(rows, ""));
    });
}

function changeOf({ mediaBytes, eventBytes, default: isDefault }: QuotaOptions): QuotaChange {
  if (isDefault) return { mediaBytes: null, eventBytes: null };
  return { ...(mediaBytes !== undefined && { mediaBytes }), ...(eventBytes !== undefined && { eventBytes }) };
}

function bytes(text: string): number {
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new InvalidArgumentError(`It must be a whole number of bytes, at most ${Number.MAX_SAFE_INTEGER}.`);
  return Number(text);
}
