// GET /v1/orders/events and GET /v1/customers/events: the change feeds of orders and of customers.
import { feedQuery } from "@tradepost/change-feed";
import { eventData } from "@tradepost/event-catalog";
import type { Orders } from "./context.ts";

const typesOf = (aggregate: string) => Object.keys(eventData).filter((type) => type.startsWith(aggregate));

export const orderEventTypes = typesOf("order.");
export const customerEventTypes = typesOf("customer.");

export const orderEventsQuery = feedQuery(orderEventTypes);
export const customerEventsQuery = feedQuery(customerEventTypes);

// The conditions of the indexes in migration 0014.
const OF_ORDERS = "type not like 'customer.%'";
const OF_CUSTOMERS = "type like 'customer.%'";

export function listOrderEvents({ feed }: Orders): Orders["feed"]["list"] {
  return (request) => feed.list(request, OF_ORDERS);
}

export function listCustomerEvents({ feed }: Orders): Orders["feed"]["list"] {
  return (request) => feed.list(request, OF_CUSTOMERS);
}
