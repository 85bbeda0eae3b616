// The door of this wing.
export { startExpiringListeners } from "./expire-listeners.ts";
export { type Leases, startLeases } from "./leases.ts";
export {
  type LeaseInput,
  type ListenerInput,
  leaseInput,
  listenerInput,
  listenersQuery,
  type ReportedResult,
  readResult,
  resultWithoutResponse,
  resultWithResponse,
} from "./listener-input.ts";
export { deleteListener, findListener, insertListener, isListener, listListeners } from "./listener-store.ts";
export { type Results, startResults } from "./report-result.ts";
