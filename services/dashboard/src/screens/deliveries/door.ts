export { DeliveryTable, ReceiverName } from "./delivery-table.tsx";
