// Generated from docs/openapi.json by `npm run docs`. Do not edit.
import type { Operation } from "../http/request.ts";

/** By operation id. */
export const OPERATIONS = {
  placeOrder: {"method":"POST","path":"/v1/orders","kind":"plain","input":"body","takesKey":true},
  listOrders: {"method":"GET","path":"/v1/orders","kind":"list","input":"query"},
  getOrder: {"method":"GET","path":"/v1/orders/{id}","kind":"plain","input":"none","takesIfNoneMatch":true},
  getApiDescription: {"method":"GET","path":"/v1/openapi.json","kind":"bare","input":"none","takesIfNoneMatch":true},
} as const satisfies Record<string, Operation>;

/** By resource and method: the operation's id. */
export const METHODS: Readonly<Record<string, Readonly<Record<string, keyof typeof OPERATIONS>>>> = {
  orders: { place: "placeOrder", list: "listOrders", get: "getOrder" },
};
