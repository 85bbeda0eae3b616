// Generated from docs/openapi.json by `npm run docs`. Do not edit.
import type { CallOptions, WithIfMatch, WithKey } from "../call-options.ts";
import type { BodyOf, DataOf, ItemOf, QueryOf } from "../operation-types.ts";
import type { Feed } from "../pages/feed.ts";
import type { List } from "../pages/list.ts";

/** The operations of the platform, by resource. */
export interface Resources {
  readonly orders: OrdersResource;
}

export interface OrdersResource {
  /**
   * Place an order: `POST /v1/orders`.
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  place(body: BodyOf<"placeOrder">, options?: CallOptions & WithKey): Promise<DataOf<"placeOrder">>;
  /**
   * List orders, newest first: `GET /v1/orders`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  list(query?: QueryOf<"listOrders">, options?: CallOptions): List<ItemOf<"listOrders">>;
  /**
   * Get an order: `GET /v1/orders/{id}`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getOrder">>;
}
