// What other areas show of deliveries.
export { DeliveryTable } from "./delivery-table.tsx";
export { ReceiverName } from "./receiver-name.tsx";
