// The door of this wing: orders, their payments and their timeline.
export { FIRST_ORDER_NUMBER } from "./insert-order-statement.ts";
export { orderActionRoutes } from "./order-action-routes.ts";
export { channels } from "./order-input.ts";
export { type OrderContext, orderRoutes } from "./order-routes.ts";
