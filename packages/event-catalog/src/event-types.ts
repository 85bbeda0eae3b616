// All event types of the platform (interface §6). Tenants may subscribe to ten of them, and to events of orders if the operator says so
// (interface §24); the others are internal. More types appear only in change feeds (interface §10).
import { z } from "zod";
import { descriptionsOfOrders, orderTypes } from "./order-events.ts";

const SUBSCRIBABLE = {
  "content.entry.created": "A content entry is created",
  "content.entry.updated": "An entry's fields change",
  "content.entry.published": "An entry goes live",
  "content.entry.scheduled": "An entry is scheduled to publish later",
  "content.entry.unpublished": "A live entry is taken down",
  "content.entry.deleted": "An entry is deleted",
  "media.uploaded": "A media asset is uploaded",
  "media.processed": "Derivatives of an asset finish processing",
  "redirect.added": "A URL redirect is created",
  "redirect.removed": "A URL redirect is removed",
} as const;

const INTERNAL = [
  ...["tenant.created", "template.install", "template.installed", "template.install_failed"],
  ...["content.revision.created", "content_type.upserted", "media.deleted", "search.entity.changed"],
  ...["product.created", "product.updated", "product.deleted"],
  ...["variant.created", "variant.updated", "variant.deleted"],
  ...["inventory.adjusted", "inventory.low", "inventory.depleted"],
  ...["cart.created", "cart.updated", "cart.abandoned", "cart.recovered"],
  ...["checkout.started", "checkout.completed", "checkout.expired"],
  ...["subscription.created", "subscription.renewed", "subscription.payment_failed"],
  ...["subscription.paused", "subscription.resumed", "subscription.cancelled"],
  ...["return.requested", "return.approved", "return.received", "return.refunded"],
  ...["review.submitted", "review.published", "review.flagged"],
  ...["provider.installed", "provider.uninstalled", "provider.health_changed"],
  ...["giftcard.issued", "giftcard.redeemed", "accountcredit.granted", "accountcredit.spent"],
  ...["configuration.requested", "configuration.quoted", "configuration.accepted"],
  ...["email.send", "email.domain.verified"],
] as const;

export interface EventType {
  readonly type: string;
  readonly subscribable: boolean;
  readonly description: string | null;
}

export const eventTypes: readonly EventType[] = [
  ...Object.entries(SUBSCRIBABLE).map(([type, description]) => ({ type, subscribable: true, description })),
  ...Object.entries(descriptionsOfOrders).map(([type, description]) => ({
    type,
    subscribable: false,
    description,
  })),
  ...INTERNAL.map((type) => ({ type, subscribable: false, description: null })),
];

export const subscribableTypes = Object.keys(SUBSCRIBABLE) as readonly (keyof typeof SUBSCRIBABLE)[];

export const subscribableType = z.enum([...subscribableTypes, ...orderTypes]).meta({
  id: "SubscribableType",
  description: "An event type to subscribe to. Types of orders need `WEBHOOKS_MORE_EVENTS`.",
});

/** Reports whether tenants may always subscribe to the type (interface §6), so that the relay must route its events. */
export function isSubscribable(type: string): boolean {
  return Object.hasOwn(SUBSCRIBABLE, type);
}

/** Appear only in change feeds (interface §10), on no exchange. */
export const feedOnlyTypes: readonly string[] = [
  "order.updated",
  ...["customer.created", "customer.updated", "customer.erased"],
  "media.updated",
];

/** A UUID of version 8, so no tenant has it; its last six bytes spell "canary". */
export const CANARY_TENANT_ID = "00000000-0000-8000-8000-63616e617279";
