// The door of this wing: erasing a customer's personal data (interface §20).
//
// Cast. `begin-erasure` records the request with the list of erased customers. `run-erasures` then runs the steps, each in a
// transaction with its progress: the customer, `erase-orders`, `erase-traces`. `erase-texts` (pure) decides what is left of events,
// timelines and recorded responses. The data map names the columns.
//
// Why nothing is missed. The customer's row is locked FOR UPDATE while `erased_at` is set, and each new order locks it FOR KEY SHARE: an
// order commits before that and is found, or sees `erased_at` and is refused. Whatever else changes the customer or an order depends on
// the version that it has read, and an erasure gives each of them a new version. Events are rewritten after that, so no later
// event has the old texts.
export { DIGEST } from "./begin-erasure.ts";
export { type ErasureContext, erasureRoutes } from "./erasure-routes.ts";
export { FIRST_STEP } from "./erasure-store.ts";
export { startErasures } from "./run-erasures.ts";
