// The GET routes show content, so they need its module and scope.
import type { Route } from "@tradepost/http";
import {
  type LeaseContext,
  type ListenerContext,
  leaseRoutes,
  listenerRoutes,
} from "./listeners/listeners.ts";
import {
  type DeliveryContext,
  deliveryRoutes,
  eventRoutes,
  type LedgerContext,
  ledgerRoutes,
  type ReplayContext,
  replayRoutes,
  statisticsRoutes,
} from "./log/log.ts";
import { type DestinationContext, destinationRoutes, noticeRoutes } from "./notices/notices.ts";
import {
  type SubscriptionActionContext,
  type SubscriptionContext,
  subscriptionActionRoutes,
  subscriptionRoutes,
} from "./subscriptions/subscriptions.ts";

type Context = SubscriptionContext &
  SubscriptionActionContext &
  ReplayContext &
  LedgerContext &
  DeliveryContext &
  ListenerContext &
  LeaseContext &
  DestinationContext;

export function routes(context: Context): Route[] {
  return [
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
  ].map((make) => make(context));
}
