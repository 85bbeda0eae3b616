// The routes of the orders service: who may use each, and its handler.
import { pageOnly, type Route, route } from "@tradepost/http";
import { customerChange, customerInput, customersQuery } from "../customer/customer-input.ts";
import { actionInputs } from "../order/action-input.ts";
import { importInput } from "../order/import-input.ts";
import { orderChange, orderInput, ordersQuery } from "../order/order-input.ts";
import { KEPT_OF_CUSTOMER, KEPT_OF_ORDER } from "../verbatim-fields.ts";
import { customerAbouts } from "./about/customers.ts";
import { fulfillmentAbouts, orderAbouts, paymentAbouts } from "./about/orders.ts";
import { changeCustomer } from "./change-customer.ts";
import { changeOrder } from "./change-order.ts";
import type { Orders } from "./context.ts";
import { createCustomer } from "./create-customer.ts";
import { importOrders } from "./import-orders.ts";
import { listCustomers } from "./list-customers.ts";
import { customerEventsQuery, listCustomerEvents, listOrderEvents, orderEventsQuery } from "./list-events.ts";
import { listOrders } from "./list-orders.ts";
import { listPayments } from "./list-payments.ts";
import { placeOrder } from "./place-order.ts";
import { putCustomer, replacementInput } from "./put-customer.ts";
import { readCustomer } from "./read-customer.ts";
import { readOrder } from "./read-order.ts";
import { readTimeline } from "./read-timeline.ts";
import { updateOrder } from "./update-order.ts";

// biome-ignore format: a table is read by its columns.
export function routes(orders: Orders): Route[] {
  return [
    route({ method: "POST",  path: "/v1/orders",              module: "crm", role: "editor", scope: "write:crm",      isIdempotent: true, keepsTextOf: KEPT_OF_ORDER, about: orderAbouts.place, body: orderInput, handle: placeOrder(orders) }),
    route({ method: "POST",  path: "/v1/orders/bulk",         module: "crm", role: "editor", scope: "write:crm_bulk", isIdempotent: true, keepsTextOf: { ...KEPT_OF_ORDER, ofList: "orders" }, about: orderAbouts.import, body: importInput, handle: importOrders(orders) }),
    route({ method: "GET",   path: "/v1/orders",              module: "crm", role: "viewer", scope: "read:crm",       about: orderAbouts.list, query: ordersQuery, handle: listOrders(orders) }),
    route({ method: "GET",   path: "/v1/orders/events",       module: "crm", role: "viewer", scope: "read:crm",       about: orderAbouts.listEvents, query: orderEventsQuery, handle: listOrderEvents(orders) }),
    route({ method: "GET",   path: "/v1/orders/:id",          module: "crm", role: "viewer", scope: "read:crm",       about: orderAbouts.get, handle: readOrder(orders) }),
    route({ method: "PATCH", path: "/v1/orders/:id",          module: "crm", role: "editor", scope: "write:crm",      keepsTextOf: KEPT_OF_ORDER, about: orderAbouts.update, body: orderChange, handle: updateOrder(orders) }),
    route({ method: "GET",   path: "/v1/orders/:id/timeline", module: "crm", role: "viewer", scope: "read:crm",       about: orderAbouts.timeline, query: pageOnly, handle: readTimeline(orders) }),
    route({ method: "GET",   path: "/v1/orders/:id/payments", module: "crm", role: "viewer", scope: "read:crm",       about: paymentAbouts.list, query: pageOnly, handle: listPayments(orders) }),
    route({ method: "POST",  path: "/v1/orders/:id/payments", module: "crm", role: "editor", scope: "write:crm",      isIdempotent: true, about: paymentAbouts.record, body: actionInputs.payments, handle: changeOrder(orders, "payments") }),
    route({ method: "POST",  path: "/v1/orders/:id/fulfill",  module: "crm", role: "editor", scope: "write:crm",      isIdempotent: true, about: fulfillmentAbouts.fulfill, body: actionInputs.fulfill, bodyIsOptional: true, handle: changeOrder(orders, "fulfill") }),
    route({ method: "POST",  path: "/v1/orders/:id/deliver",  module: "crm", role: "editor", scope: "write:crm",      isIdempotent: true, about: fulfillmentAbouts.deliver, body: actionInputs.deliver, bodyIsOptional: true, handle: changeOrder(orders, "deliver") }),
    route({ method: "POST",  path: "/v1/orders/:id/cancel",   module: "crm", role: "editor", scope: "write:crm",      isIdempotent: true, about: fulfillmentAbouts.cancel, body: actionInputs.cancel,  bodyIsOptional: true, handle: changeOrder(orders, "cancel") }),
    route({ method: "POST",  path: "/v1/orders/:id/refund",   module: "crm", role: "editor", scope: "write:crm",      isIdempotent: true, about: paymentAbouts.refund, body: actionInputs.refund,  bodyIsOptional: true, handle: changeOrder(orders, "refund") }),
    route({ method: "POST",  path: "/v1/customers",           module: "crm", role: "editor", scope: "write:crm",      isIdempotent: true, keepsTextOf: KEPT_OF_CUSTOMER, about: customerAbouts.create, body: customerInput, handle: createCustomer(orders) }),
    route({ method: "GET",   path: "/v1/customers",           module: "crm", role: "viewer", scope: "read:crm",       about: customerAbouts.list, query: customersQuery, handle: listCustomers(orders) }),
    route({ method: "GET",   path: "/v1/customers/events",    module: "crm", role: "viewer", scope: "read:crm",       about: customerAbouts.listEvents, query: customerEventsQuery, handle: listCustomerEvents(orders) }),
    route({ method: "GET",   path: "/v1/customers/:id",       module: "crm", role: "viewer", scope: "read:crm",       about: customerAbouts.get, handle: readCustomer(orders) }),
    route({ method: "PATCH", path: "/v1/customers/:id",       module: "crm", role: "editor", scope: "write:crm",      keepsTextOf: KEPT_OF_CUSTOMER, about: customerAbouts.update, body: customerChange, handle: changeCustomer(orders) }),
    route({ method: "PUT",   path: "/v1/customers/by-external-id/:externalId", module: "crm", role: "editor", scope: "write:crm", keepsTextOf: KEPT_OF_CUSTOMER, about: customerAbouts.put, body: replacementInput, handle: putCustomer(orders) }),
  ];
}
