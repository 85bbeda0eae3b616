// The routes of the orders service: who may call what, and who answers.
import { pageQuery, type Route, route } from "@tradepost/http";
import { z } from "zod";
import { customerChange, customerInput } from "../customer/customer-input.ts";
import { orderInput } from "../order/order-input.ts";
import { changeCustomer } from "./change-customer.ts";
import { actionInputs, changeOrder } from "./change-order.ts";
import type { Orders } from "./context.ts";
import { createCustomer } from "./create-customer.ts";
import { customersQuery, listCustomers } from "./list-customers.ts";
import { listOrders, ordersQuery } from "./list-orders.ts";
import { placeOrder } from "./place-order.ts";
import { ordersBody, placeOrders } from "./place-orders.ts";
import { readCustomer } from "./read-customer.ts";
import { readOrder } from "./read-order.ts";
import { readTimeline } from "./read-timeline.ts";

const page = z.strictObject(pageQuery);
const read = { module: "crm", role: "viewer", scope: "read:crm" } as const;
const write = { module: "crm", role: "editor", scope: "write:crm" } as const;
const post = { ...write, method: "POST", isIdempotent: true } as const;
const act = { ...post, bodyIsOptional: true } as const;

// biome-ignore format: a table is read by its columns.
export function routes(orders: Orders): Route[] {
  return [
    route({ ...post,                path: "/v1/orders",              body: orderInput,            handle: placeOrder(orders) }),
    route({ ...post, scope: "write:crm_bulk", path: "/v1/orders/bulk", body: ordersBody,          handle: placeOrders(orders) }),
    route({ ...read, method: "GET", path: "/v1/orders",              query: ordersQuery,          handle: listOrders(orders) }),
    route({ ...read, method: "GET", path: "/v1/orders/:id",                                       handle: readOrder(orders) }),
    route({ ...read, method: "GET", path: "/v1/orders/:id/timeline", query: page,                 handle: readTimeline(orders) }),
    route({ ...post,                path: "/v1/orders/:id/payments", body: actionInputs.payments, handle: changeOrder(orders, "payments") }),
    route({ ...act,                 path: "/v1/orders/:id/fulfill",  body: actionInputs.fulfill,  handle: changeOrder(orders, "fulfill") }),
    route({ ...act,                 path: "/v1/orders/:id/deliver",  body: actionInputs.deliver,  handle: changeOrder(orders, "deliver") }),
    route({ ...act,                 path: "/v1/orders/:id/cancel",   body: actionInputs.cancel,   handle: changeOrder(orders, "cancel") }),
    route({ ...act,                 path: "/v1/orders/:id/refund",   body: actionInputs.refund,   handle: changeOrder(orders, "refund") }),
    route({ ...post,                path: "/v1/customers",           body: customerInput,         handle: createCustomer(orders) }),
    route({ ...read, method: "GET", path: "/v1/customers",           query: customersQuery,       handle: listCustomers(orders) }),
    route({ ...read, method: "GET", path: "/v1/customers/:id",                                    handle: readCustomer(orders) }),
    route({ ...write, method: "PATCH", path: "/v1/customers/:id",    body: customerChange,        handle: changeCustomer(orders) }),
  ];
}
