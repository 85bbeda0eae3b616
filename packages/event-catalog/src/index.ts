export { contentType } from "./data/content-type.ts";
export { customer } from "./data/customer.ts";
export { entry } from "./data/entry.ts";
export { media } from "./data/media.ts";
export { order as orderInEvents, shipment } from "./data/order.ts";
export { redirect } from "./data/redirect.ts";
export { eventData, eventTypesOf, plainSchemaOf } from "./event-data.ts";
export {
  CANARY_TENANT_ID,
  type EventType,
  eventTypes,
  feedOnlyTypes,
  isSubscribable,
  subscribableType,
  subscribableTypes,
} from "./event-types.ts";
export { actor, componentName, feedEvents } from "./feed-event.ts";
export { thinDataOf, thinSchemaOf } from "./thin-data.ts";
