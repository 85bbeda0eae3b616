// The door of this wing: notices about everything that needs somebody's attention, among it what a tenant uses, and the destinations
// to which they are sent.
export { type DestinationContext, destinationRoutes } from "./destination-routes.ts";
export { type DestinationTimes, startDestinations } from "./destinations.ts";
export { type EndpointNotice, noticeKinds } from "./notice.ts";
export { startNoticeClock } from "./notice-clock.ts";
export { noticeRoutes } from "./notice-routes.ts";
export {
  closeNotices,
  closeNoticesOf,
  findNotices,
  findOpenedSince,
  type NewNotice,
  type NoticeFilter,
  noteFailedDeliveries,
  type OpenedNotice,
  openNotice,
  openNotices,
  waitingOf,
} from "./notice-store.ts";
export { countReceived, usageRoutes } from "./usage.ts";
