// The events of orders, which become webhooks only where the operator says so (interface §24).
import { z } from "zod";

/** Tenants may subscribe to them only where `WEBHOOKS_MORE_EVENTS` names them. */
export const descriptionsOfOrders = {
  "order.placed": "An order is placed",
  "order.paid": "An order is paid in full",
  "order.payment_failed": "A payment of an order fails",
  "order.fulfilled": "The last unit of an order is shipped",
  "order.delivered": "An order is delivered",
  "order.cancelled": "An order is cancelled",
  "order.refunded": "An order is refunded, in full or in part",
} as const;

export const orderTypes = Object.keys(descriptionsOfOrders) as readonly (keyof typeof descriptionsOfOrders)[];

const MORE_EVENTS_RULE = `must be event types of the orders service, comma-separated: ${orderTypes.join(",")}`;

/** The setting `WEBHOOKS_MORE_EVENTS`, which the orders and the webhooks service share (interface §24). */
export const moreEvents = z
  .string()
  .transform((list) => [...new Set(list.split(",").map((type) => type.trim()))].filter(Boolean))
  .refine((types) => types.every(isOfOrders), MORE_EVENTS_RULE)
  .prefault("")
  .describe(
    "types of the orders service, comma-separated, that tenants with the module `crm` may subscribe to, always with thin payloads; none by default. The orders and the webhooks service need the same value",
  );

/** Reports whether the type is one of the orders service (interface §24). */
export function isOfOrders(type: string): boolean {
  return Object.hasOwn(descriptionsOfOrders, type);
}
