// `ops tenant`. Tenants are created only here, never over HTTP.
import {
  createTenant,
  listTenants,
  type ModuleName,
  moduleNames,
  type Tables,
} from "@tradepost/gateway/operate";
import { type Command, InvalidArgumentError } from "commander";
import type { Operator } from "./operator.ts";
import { auditActor } from "./record-command.ts";
import { table } from "./table.ts";
import { addDeleteCommand } from "./tenant-deletion.ts";
import { addExportCommand } from "./tenant-export.ts";
import { addQuotaCommand } from "./tenant-quota.ts";
import { addSuspensionCommands } from "./tenant-suspension.ts";
import { withDatabase } from "./with-database.ts";

interface CreateOptions {
  slug: string;
  name: string;
  ownerEmail: string;
  modules: ModuleName[];
}

export function addTenantCommands(program: Command, operator: Operator): void {
  const tenant = program.command("tenant").description("the platform's tenants");
  tenant
    .command("create")
    .description("create a tenant with its owner; the password is shown once")
    .requiredOption("--slug <slug>", "lower-case letters, digits and hyphens")
    .requiredOption("--name <name>", "the display name")
    .requiredOption("--owner-email <email>", "the owner signs in with it", email)
    .option("--modules <names>", "comma-separated", modules, [...moduleNames])
    .action(async (options: CreateOptions) => {
      const created = await withDatabase<Tables, Awaited<ReturnType<typeof createTenant>>>(
        operator.addresses().databases.gateway,
        (db) => createTenant(db, { ...options, actor: auditActor() }),
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
      const tenants = await withDatabase<Tables, Awaited<ReturnType<typeof listTenants>>>(
        operator.addresses().databases.gateway,
        listTenants,
      );
      const rows = tenants.map(({ id, slug, name, modules: active, createdAt, suspended }) => ({
        tenantId: id,
        slug,
        name,
        modules: active,
        createdAt,
        suspended,
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
