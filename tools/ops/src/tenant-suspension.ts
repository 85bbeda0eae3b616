// `ops tenant suspend` and `ops tenant resume`. Each changes the gateway's and the webhooks service's databases in two
// transactions. If it is interrupted, running it again completes it.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { operatedTenants } from "@tradepost/gateway/operate";
import { resumeDeliveries, suspendDeliveries } from "@tradepost/webhooks/operate";
import type { Command } from "commander";
import type { Operator } from "./arguments.ts";
import { auditActor } from "./record-command.ts";

export function addSuspensionCommands(tenant: Command, operator: Operator): void {
  tenant
    .command("suspend")
    .description("refuse the tenant's requests, and keep its deliveries waiting")
    .argument("<slug>", "the tenant's slug or id")
    .action(async (slug: string) => {
      const { id } = await findTenant(operator, slug);
      await suspend(operator, id);
      const sentence = `Tenant ${slug} is suspended. Its requests are refused, and its deliveries wait.`;
      operator.print({ tenantId: id, suspended: true }, sentence);
    });
  tenant
    .command("resume")
    .description("accept the requests of a suspended tenant again, and send what waited")
    .argument("<slug>", "the tenant's slug or id")
    .action(async (slug: string) => {
      const { id, isBeingDeleted } = await findTenant(operator, slug);
      if (isBeingDeleted) throw new Error(`Tenant ${slug} is being deleted and cannot be resumed.`);
      await resume(operator, id);
      const sentence = `Tenant ${slug} is resumed. What waited is sent, oldest first.`;
      operator.print({ tenantId: id, suspended: false }, sentence);
    });
}

/** Finds a tenant by slug or id. Throws an Error, with a message for the operator, for the canary's tenant. */
export async function findTenant(
  operator: Operator,
  slugOrId: string,
): Promise<operatedTenants.OperatedTenant> {
  if (slugOrId.toLowerCase() === CANARY_TENANT_ID)
    throw new Error("This is the tenant of the canary, whose events show whether the platform delivers.");
  return await operator.on("gateway", (db) => operatedTenants.findOperatedTenant(db, slugOrId));
}

/** Suspends requests first, so that no request changes data that the deliveries depend on. */
export async function suspend({ on }: Operator, tenantId: string): Promise<void> {
  await on("gateway", (db) => operatedTenants.setSuspended(db, tenantId, true, auditActor()));
  await on("webhooks", (db) => suspendDeliveries(db, tenantId));
}

/** Resumes the deliveries first: `tenant list` shows the tenant as suspended until both are resumed. */
async function resume({ on }: Operator, tenantId: string): Promise<void> {
  await on("webhooks", (db) => resumeDeliveries(db, tenantId));
  await on("gateway", (db) => operatedTenants.setSuspended(db, tenantId, false, auditActor()));
}
