// The routes of the orders service: who may call what, and who answers.
import { pageQuery, type Route, route } from "@tradepost/http";
import { z } from "zod";
import { orderInput } from "../order/order-input.ts";
import type { Orders } from "./context.ts";
import { createCustomer, customerInput } from "./create-customer.ts";
import { listCustomers } from "./list-customers.ts";
import { placeOrder } from "./place-order.ts";
import { readCustomer } from "./read-customer.ts";
import { readOrder } from "./read-order.ts";

const page = z.strictObject(pageQuery);

// biome-ignore format: a table is read by its columns.
export function routes(orders: Orders): Route[] {
  return [
    route({ method: "POST", path: "/v1/orders",        module: "crm", role: "editor", scope: "write:crm", body: orderInput, answer: placeOrder(orders) }),
    route({ method: "GET",  path: "/v1/orders/:id",    module: "crm", role: "viewer", scope: "read:crm",  answer: readOrder(orders) }),
    route({ method: "POST", path: "/v1/customers",     module: "crm", role: "editor", scope: "write:crm", body: customerInput, answer: createCustomer(orders) }),
    route({ method: "GET",  path: "/v1/customers",     module: "crm", role: "viewer", scope: "read:crm",  query: page, answer: listCustomers(orders) }),
    route({ method: "GET",  path: "/v1/customers/:id", module: "crm", role: "viewer", scope: "read:crm",  answer: readCustomer(orders) }),
  ];
}
