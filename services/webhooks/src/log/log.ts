// The door of this wing.
export { type EventsQuery, eventsQuery } from "./event-input.ts";
export { findEvent, listEvents } from "./event-store.ts";
export { explainDelivery } from "./explain-delivery.ts";
export { findReceived, type ReceivedEvent } from "./find-received.ts";
export { listDeliveries } from "./list-deliveries.ts";
export { startRetention } from "./retention.ts";
