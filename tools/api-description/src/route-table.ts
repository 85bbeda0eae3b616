// The routes of all services, for their descriptions. The handlers must not be called, because they have no database.
import { routes as contentRoutes } from "@tradepost/content/routes";
import { routes as gatewayRoutes } from "@tradepost/gateway/routes";
import type { Route } from "@tradepost/http";
import { routes as ordersRoutes } from "@tradepost/orders/routes";
import { routes as webhooksRoutes } from "@tradepost/webhooks/routes";

const tables = [gatewayRoutes, ordersRoutes, contentRoutes, webhooksRoutes] as ((
  context: never,
) => Route[])[];

export const routeTable: readonly Route[] = tables.flatMap((routes) => routes({ guard: {} } as never));
