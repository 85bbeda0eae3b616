// The public surface of event-catalog: see README.md.
export { CANARY_TENANT_ID } from "./canary.ts";
export { order as orderInEvents } from "./data/order.ts";
export { type EventData, eventData } from "./event-data.ts";
export { type EventType, eventTypes, isSubscribable, subscribableTypes } from "./event-types.ts";
export { eventsDocument } from "./events-document.ts";
