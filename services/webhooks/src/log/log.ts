// The door of this wing: the log of events and deliveries, and its replays.
export { deliveryRoutes } from "./delivery-routes.ts";
export { eventRoutes } from "./event-routes.ts";
export { explainDelivery } from "./explain-delivery.ts";
export { findReceived, type ReceivedEvent } from "./find-received.ts";
export { ledgerRoutes } from "./ledger-routes.ts";
export { listForOperator, type OperatedDelivery } from "./list-for-operator.ts";
export { replayRoutes } from "./replay-routes.ts";
export { startRetention } from "./retention.ts";
export { startReplays } from "./run-replays.ts";
export { statisticsRoutes } from "./statistics-routes.ts";
