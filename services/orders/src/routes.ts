// The routes of the orders service.
import type { Route } from "@tradepost/http";
import { type CustomerContext, customerRoutes } from "./customer/customer.ts";
import { type OrderContext, orderActionRoutes, orderRoutes } from "./order/order.ts";
import { statisticsRoutes } from "./statistics/statistics.ts";

export function routes(context: OrderContext & CustomerContext): Route[] {
  return [...statisticsRoutes, ...orderRoutes, ...orderActionRoutes, ...customerRoutes].map((make) =>
    make(context),
  );
}
