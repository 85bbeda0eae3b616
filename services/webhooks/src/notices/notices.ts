// The door of this wing: notices about everything that needs somebody's attention.
export {
  type EndpointNotice,
  noticeKind,
  noticeKinds,
} from "./notice.ts";
export { startNoticeClock } from "./notice-clock.ts";
export { noticeRoutes, tag as noticeTag } from "./notice-routes.ts";
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
  setNearQuotas,
  waitingOf,
} from "./notice-store.ts";
