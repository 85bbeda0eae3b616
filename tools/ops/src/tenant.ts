// `ops tenant`. Tenants are created only here, never over HTTP.
import {
  createTenant,
  listTenants,
  type ModuleName,
  moduleNames,
  type QuotaChange,
  setQuotas,
  showQuotas,
} from "@tradepost/gateway/operate";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Operator, wholeNumber } from "./arguments.ts";
import { auditActor } from "./record-command.ts";
import { table } from "./table.ts";
import { addDeleteCommand } from "./tenant-deletion.ts";
import { addExportCommand } from "./tenant-export.ts";
import { addSuspensionCommands, findTenant } from "./tenant-suspension.ts";

export function addTenantCommands(program: Command, operator: Operator): void {
  const tenant = program.command("tenant").description("the platform's tenants");
  tenant
    .command("create")
    .description("create a tenant with its owner; the password is shown once")
    .requiredOption("--slug <slug>", "lower-case letters, digits and hyphens")
    .requiredOption("--name <name>", "the display name")
    .requiredOption("--owner-email <email>", "the owner signs in with it", email)
    .option("--modules <names>", "comma-separated", modules, [...moduleNames])
    .option("--currency <code>", "the shop's, by ISO 4217; USD by default")
    .option("--time-zone <name>", "the shop's, such as Europe/Lisbon; UTC by default")
    .option("--locale <tag>", "by which the shop writes numbers and dates, such as de-AT; en by default")
    .action(async (options: Omit<Parameters<typeof createTenant>[1], "actor">) => {
      const created = await operator.on("gateway", (db) =>
        createTenant(db, { ...options, actor: auditActor() }),
      );
      operator.print(
        created,
        `Created tenant ${created.slug} with id ${created.tenantId}.\n` +
          `Its owner signs in as ${created.owner.email} with the password ${created.owner.password}\n` +
          "Keep the password now; it is not shown again.",
      );
    });
  tenant
    .command("list")
    .description("list all tenants")
    .action(async () => {
      const tenants = await operator.on("gateway", listTenants);
      const rows = tenants.map(({ id, slug, name, modules: active, createdAt, suspended }) => ({
        ...{ tenantId: id, slug, name, modules: active, createdAt, suspended },
      }));
      operator.print(rows, table(rows, "There are no tenants yet."));
    });
  addSuspensionCommands(tenant, operator);
  addQuotaCommand(tenant, operator);
  addExportCommand(tenant, operator);
  addDeleteCommand(tenant, operator);
}

function email(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new InvalidArgumentError("It must be an e-mail address.");
  return text;
}

function modules(text: string): ModuleName[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = names.filter((name) => !moduleNames.some((known) => known === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`Modules are ${moduleNames.join(" and ")}.`);
  return moduleNames.filter((known) => names.includes(known));
}

interface QuotaOptions {
  mediaBytes?: number;
  eventBytes?: number;
  default?: true;
}

function addQuotaCommand(tenant: Command, operator: Operator): void {
  tenant
    .command("quota")
    .description("show or set how many bytes a tenant may store; 0 means no limit")
    .argument("<slug>", "the tenant's slug or id")
    .option("--media-bytes <n>", "of media", wholeNumber(0))
    .option("--event-bytes <n>", "of events that are kept", wholeNumber(0))
    .addOption(
      new Option("--default", "go back to the gateway's settings for both").conflicts([
        "mediaBytes",
        "eventBytes",
      ]),
    )
    .action(async (slug: string, options: QuotaOptions) => {
      const { id } = await findTenant(operator, slug);
      const change = changeOf(options);
      const shown = await operator.on("gateway", (db) =>
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
