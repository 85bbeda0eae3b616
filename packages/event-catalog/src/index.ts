// The public surface of event-catalog: see README.md.
export { CANARY_TENANT_ID } from "./canary.ts";
export { contentType } from "./data/content-type.ts";
export { customer } from "./data/customer.ts";
export { entry } from "./data/entry.ts";
export { media } from "./data/media.ts";
export { order as orderInEvents } from "./data/order.ts";
export { redirect } from "./data/redirect.ts";
export { type EventData, eventData } from "./event-data.ts";
export {
  type EventType,
  eventTypes,
  feedOnlyTypes,
  isSubscribable,
  subscribableType,
  subscribableTypes,
} from "./event-types.ts";
export { actor, componentName, feedEvents } from "./feed-event.ts";
export { plainSchemaOf } from "./plain-schema.ts";
