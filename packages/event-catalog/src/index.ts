// The event catalog: every type of the platform, and the data of the types that a service emits.

export { CANARY_TENANT_ID } from "./canary.ts";
export { type EventData, eventData } from "./event-data.ts";
export { type EventType, eventTypes, isSubscribable, subscribableTypes } from "./event-types.ts";
export { eventsDocument } from "./events-document.ts";
