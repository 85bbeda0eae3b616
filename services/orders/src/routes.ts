// The routes of the orders service.
import type { Route } from "@tradepost/http";
import { type CustomerContext, customerRoutes } from "./customer/customer-routes.ts";
import { orderActionRoutes } from "./order/order-action-routes.ts";
import { type OrderContext, orderRoutes } from "./order/order-routes.ts";

export function routes(context: OrderContext & CustomerContext): Route[] {
  return [...orderRoutes, ...orderActionRoutes, ...customerRoutes].map((make) => make(context));
}
