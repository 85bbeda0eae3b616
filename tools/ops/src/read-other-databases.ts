// Reads the data other than events that `ops verify` compares across the four databases. The gateway comes last, because its
// database is the first to have a new tenant.
import { readRestoreState } from "@tradepost/change-feed";
import { type Tables as GatewayTables, listTenants, readSubscriptionFates } from "@tradepost/gateway/operate";
import { type Tables as OrdersTables, readCounters } from "@tradepost/orders/operate";
import { listSubscriptionIds, type Tables as WebhooksTables } from "@tradepost/webhooks/operate";
import type { Addresses } from "./addresses.ts";
import type { ComparedDatabases, ServiceState } from "./compare-databases.ts";
import { findReturnedCustomers } from "./erased-customers.ts";
import { countMessages } from "./read-accounting-input.ts";
import { SERVICES_WITH_OUTBOX } from "./republish-events.ts";
import { findUndeleted } from "./tenant-data/find-undeleted.ts";
import { withDatabase } from "./with-database.ts";

const AUDIT_QUEUE = "gateway.audit";
const STATEMENT_TIMEOUT_MS = 5 * 60 * 1_000;
const options = { statementTimeoutMs: STATEMENT_TIMEOUT_MS };

export async function readOtherDatabases(
  addresses: Addresses,
): Promise<Omit<ComparedDatabases, "webhooks" | "producers">> {
  const { databases } = addresses;
  const services = await Promise.all(
    SERVICES_WITH_OUTBOX.map(
      async (service): Promise<ServiceState> => ({
        service,
        ...(await withDatabase(databases[service], readRestoreState)),
      }),
    ),
  );
  const withOrders = await withDatabase<OrdersTables, string[]>(
    databases.orders,
    async (db) => [...(await readCounters(db)).keys()],
    options,
  );
  const subscriptions = await withDatabase<WebhooksTables, Awaited<ReturnType<typeof listSubscriptionIds>>>(
    databases.webhooks,
    listSubscriptionIds,
    options,
  );
  const isAuditQueueEmpty = (await countMessages(addresses, AUDIT_QUEUE)) === 0;
  const [fates, tenants] = await withDatabase<
    GatewayTables,
    [Awaited<ReturnType<typeof readSubscriptionFates>>, Awaited<ReturnType<typeof listTenants>>]
  >(databases.gateway, (db) => Promise.all([readSubscriptionFates(db), listTenants(db)]), options);
  return {
    undeleted: await findUndeleted(addresses),
    returned: await findReturnedCustomers(addresses),
    services,
    subscriptions,
    fates: isAuditQueueEmpty ? fates : null,
    tenantIds: tenants.map(({ id }) => id),
    tenantIdsInUse: [...withOrders, ...subscriptions.map(({ tenantId }) => tenantId)],
  };
}
