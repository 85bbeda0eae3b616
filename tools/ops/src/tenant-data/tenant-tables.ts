// The tables of the four services that have rows of tenants. A test compares them with the databases.
import { tenantTables as content } from "@tradepost/content/operate";
import { tenantTables as gateway } from "@tradepost/gateway/operate";
import { tenantTables as orders } from "@tradepost/orders/operate";
import type { TenantTable } from "@tradepost/postgres";
import { tenantTables as webhooks } from "@tradepost/webhooks/operate";

export type ServiceName = "gateway" | "orders" | "content" | "webhooks";

export const tenantTables: Readonly<Record<ServiceName, readonly TenantTable[]>> = {
  gateway,
  orders,
  content,
  webhooks,
};
