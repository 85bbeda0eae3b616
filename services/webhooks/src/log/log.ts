// The door of this wing: the log of events and deliveries, which tenants and operators read.
export { type DeliveryContext, deliveryRoutes } from "./delivery-routes.ts";
export { eventRoutes } from "./event-routes.ts";
export { explainDelivery } from "./explain-delivery.ts";
export { findReceived, type ReceivedEvent } from "./find-received.ts";
export { type LedgerContext, ledgerRoutes } from "./ledger-routes.ts";
export { listForOperator, type OperatedDelivery } from "./list-for-operator.ts";
export { startRetention } from "./retention.ts";
export { statisticsRoutes } from "./statistics-routes.ts";
