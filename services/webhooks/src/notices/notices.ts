// The door of this wing: notices and their destinations.
export { destinationRoutes } from "./destination-routes.ts";
export { type DestinationTimes, startDestinations } from "./destinations.ts";
export { findNotices, findOpenedSince, type NoticeFilter } from "./list-notices.ts";
export { type EndpointNotice, noticeKinds } from "./notice.ts";
export { startNoticeClock } from "./notice-clock.ts";
export { noticeRoutes } from "./notice-routes.ts";
export {
  closeNotices,
  closeNoticesOf,
  type NewNotice,
  noteFailedDeliveries,
  type OpenedNotice,
  openNotice,
  openNotices,
} from "./notice-store.ts";
export { countReceived, quotaRoutes } from "./usage.ts";
