// The routes of the webhooks service. The GET routes show content, so they need its module and scope.
import { type Route, route } from "@tradepost/http";
import { deliveriesQuery, sendTestInput } from "../delivery/delivery.ts";
import { leaseInput, listenerInput, listenersQuery, readResult } from "../listeners/listeners.ts";
import { eventsQuery } from "../log/log.ts";
import {
  KEPT_OF_SUBSCRIPTION,
  recoverInput,
  rotateSecretInput,
  subscriptionInputs,
  subscriptionsQuery,
} from "../subscriptions/subscriptions.ts";
import { deliveryAbouts } from "./about/deliveries.ts";
import { eventAbouts } from "./about/events.ts";
import { listenerAbouts } from "./about/listeners.ts";
import { subscriptionAbouts } from "./about/subscriptions.ts";
import { changeSubscription } from "./change-subscription.ts";
import type { Webhooks } from "./context.ts";
import { createListener } from "./create-listener.ts";
import { createSubscription } from "./create-subscription.ts";
import { deleteListener } from "./delete-listener.ts";
import { deleteSubscription } from "./delete-subscription.ts";
import { lease } from "./lease.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listEventTypes } from "./list-event-types.ts";
import { listEvents } from "./list-events.ts";
import { listListeners } from "./list-listeners.ts";
import { listSubscriptions } from "./list-subscriptions.ts";
import { readDelivery } from "./read-delivery.ts";
import { readEvent } from "./read-event.ts";
import { readListener } from "./read-listener.ts";
import { readRecovery } from "./read-recovery.ts";
import { readSubscription } from "./read-subscription.ts";
import { recover } from "./recover.ts";
import { redeliver } from "./redeliver.ts";
import { redeliverLeased } from "./redeliver-leased.ts";
import { reportResult } from "./report-result.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { sendTest } from "./send-test.ts";

// biome-ignore format: a table is read by its columns.
export function routes(webhooks: Webhooks): Route[] {
  const inputs = subscriptionInputs(webhooks.guard);
  return [
    route({ method: "POST",   path: "/v1/webhooks/subscriptions",                   module: null,      role: "admin",  scope: null,           isIdempotent: true, keepsTextOf: KEPT_OF_SUBSCRIPTION, body: inputs.create, about: subscriptionAbouts.create, handle: createSubscription(webhooks) }),
    route({ method: "GET",    path: "/v1/webhooks/subscriptions",                   module: "content", role: "viewer", scope: "read:content", query: subscriptionsQuery, about: subscriptionAbouts.list, handle: listSubscriptions(webhooks) }),
    route({ method: "GET",    path: "/v1/webhooks/subscriptions/:id",               module: "content", role: "viewer", scope: "read:content", about: subscriptionAbouts.get, handle: readSubscription(webhooks) }),
    route({ method: "PATCH",  path: "/v1/webhooks/subscriptions/:id",               module: null,      role: "admin",  scope: null,           keepsTextOf: KEPT_OF_SUBSCRIPTION, body: inputs.change, about: subscriptionAbouts.update, handle: changeSubscription(webhooks) }),
    route({ method: "DELETE", path: "/v1/webhooks/subscriptions/:id",               module: null,      role: "admin",  scope: null,           about: subscriptionAbouts.delete, handle: deleteSubscription(webhooks) }),
    route({ method: "POST",   path: "/v1/webhooks/subscriptions/:id/rotate-secret", module: null,      role: "admin",  scope: null,           isIdempotent: true, body: rotateSecretInput, bodyIsOptional: true, about: subscriptionAbouts.rotateSecret, handle: rotateSecret(webhooks) }),
    route({ method: "POST",   path: "/v1/webhooks/subscriptions/:id/test",          module: null,      role: "admin",  scope: null,           isIdempotent: true, body: sendTestInput, bodyIsOptional: true, about: subscriptionAbouts.sendTest, handle: sendTest(webhooks) }),
    route({ method: "POST",   path: "/v1/webhooks/subscriptions/:id/recover",       module: null,      role: "admin",  scope: null,           isIdempotent: true, body: recoverInput, about: subscriptionAbouts.recover, handle: recover(webhooks) }),
    route({ method: "GET",    path: "/v1/webhooks/recoveries/:id",                  module: "content", role: "viewer", scope: "read:content", about: subscriptionAbouts.getRecovery, handle: readRecovery(webhooks) }),
    route({ method: "GET",    path: "/v1/webhooks/deliveries",                      module: "content", role: "viewer", scope: "read:content", query: deliveriesQuery, about: deliveryAbouts.list, handle: listDeliveries(webhooks) }),
    route({ method: "GET",    path: "/v1/webhooks/deliveries/:id",                  module: "content", role: "viewer", scope: "read:content", about: deliveryAbouts.get, handle: readDelivery(webhooks) }),
    route({ method: "POST",   path: "/v1/webhooks/deliveries/:id/redeliver",        module: null,      role: "admin",  scope: null,           isIdempotent: true, about: deliveryAbouts.redeliver, handle: redeliver(webhooks) }),
    route({ method: "GET",    path: "/v1/webhooks/events",                          module: "content", role: "viewer", scope: "read:content", query: eventsQuery, about: eventAbouts.list, handle: listEvents(webhooks) }),
    route({ method: "GET",    path: "/v1/webhooks/events/:id",                      module: "content", role: "viewer", scope: "read:content", about: eventAbouts.get, handle: readEvent(webhooks) }),
    route({ method: "GET",    path: "/v1/webhooks/event-types",                     module: "content", role: "viewer", scope: "read:content", about: eventAbouts.listTypes, handle: listEventTypes }),
    route({ method: "POST",   path: "/v1/webhooks/listeners",                       module: "content", role: "editor", scope: "read:content", isIdempotent: true, body: listenerInput, about: listenerAbouts.create, handle: createListener(webhooks) }),
    route({ method: "GET",    path: "/v1/webhooks/listeners",                       module: "content", role: "viewer", scope: "read:content", query: listenersQuery, about: listenerAbouts.list, handle: listListeners(webhooks) }),
    route({ method: "GET",    path: "/v1/webhooks/listeners/:id",                   module: "content", role: "viewer", scope: "read:content", about: listenerAbouts.get, handle: readListener(webhooks) }),
    route({ method: "DELETE", path: "/v1/webhooks/listeners/:id",                   module: null,      role: "editor", scope: "read:content", about: listenerAbouts.delete, handle: deleteListener(webhooks) }),
    route({ method: "POST",   path: "/v1/webhooks/listeners/:id/lease",             module: "content", role: "editor", scope: "read:content", body: leaseInput, bodyIsOptional: true, about: listenerAbouts.lease, handle: lease(webhooks) }),
    route({ method: "POST",   path: "/v1/webhooks/listeners/:id/deliveries/:deliveryId/result", module: null,      role: "editor", scope: "read:content", isIdempotent: true, body: readResult, about: listenerAbouts.report, handle: reportResult(webhooks) }),
    route({ method: "POST",   path: "/v1/webhooks/listeners/:id/deliveries/:deliveryId/redeliver", module: "content", role: "editor", scope: "read:content", isIdempotent: true, about: listenerAbouts.redeliver, handle: redeliverLeased(webhooks) }),
  ];
}
