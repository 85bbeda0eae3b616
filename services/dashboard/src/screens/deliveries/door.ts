// What other areas show of deliveries.
export { DeliveryTable, ReceiverName } from "./delivery-table.tsx";
