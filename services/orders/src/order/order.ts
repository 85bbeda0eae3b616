export { orderActionRoutes } from "./order-action-routes.ts";
export { channels } from "./order-input.ts";
export { FIRST_ORDER_NUMBER } from "./order-numbers.ts";
export { type Order, shownInEvents } from "./order-resource.ts";
export { type OrderContext, orderRoutes } from "./order-routes.ts";
export { findOrders } from "./order-store.ts";
