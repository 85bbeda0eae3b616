// The GET routes show content, so they need its module and scope.
import type { Route } from "@tradepost/http";
import { leaseRoutes, listenerRoutes } from "./listeners/listeners.ts";
import { deliveryRoutes, eventRoutes, ledgerRoutes, replayRoutes, statisticsRoutes } from "./log/log.ts";
import { destinationRoutes, noticeRoutes } from "./notices/notices.ts";
import { subscriptionActionRoutes, subscriptionRoutes } from "./subscriptions/subscriptions.ts";

const makers = [
  ...subscriptionRoutes,
  ...subscriptionActionRoutes,
  ...replayRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...statisticsRoutes,
  ...ledgerRoutes,
  ...listenerRoutes,
  ...leaseRoutes,
  ...noticeRoutes,
  ...destinationRoutes,
];

/** All that the makers need together. */
type Context = (typeof makers)[number] extends (context: infer All) => Route ? All : never;

export const routes = (context: Context): Route[] => makers.map((make) => make(context));
