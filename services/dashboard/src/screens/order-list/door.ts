// How other areas show orders.
export { OrderStatus } from "./order-status.tsx";
export { OrderTable } from "./order-table.tsx";
