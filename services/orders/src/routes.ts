import type { Route } from "@tradepost/http";
import { type CustomerContext, customerRoutes } from "./customer/customer.ts";
import { type ErasureContext, erasureRoutes } from "./erasure/erasure.ts";
import { type OrderContext, orderActionRoutes, orderRoutes } from "./order/order.ts";
import { statisticsRoutes } from "./statistics/statistics.ts";

export function routes(context: OrderContext & CustomerContext & ErasureContext): Route[] {
  return [
    ...[...statisticsRoutes, ...orderRoutes, ...orderActionRoutes],
    ...[...customerRoutes, ...erasureRoutes],
  ].map((make) => make(context));
}
