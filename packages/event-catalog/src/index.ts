// The public surface of the event catalog: every type of the platform, and the data of those that are emitted here.

export { CANARY_TENANT_ID } from "./canary.ts";
export { type EventData, eventData } from "./event-data.ts";
export { type EventType, eventTypes, isSubscribable, subscribableTypes } from "./event-types.ts";
export { eventsDocument } from "./events-document.ts";
