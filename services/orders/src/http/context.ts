// The dependencies of the handlers; created in service.ts.
import type { ChangeFeed } from "@tradepost/change-feed";
import type { TenantDatabases } from "@tradepost/postgres";
import type { OrderInput } from "../order/order-input.ts";
import type { Tables } from "../tables.ts";

export interface Orders {
  readonly tenants: TenantDatabases<Tables>;
  readonly feed: ChangeFeed;
  /** Handlers run it after each commit that wrote an event, so that the relay publishes the event at once. */
  readonly onCommit: () => void;
  /** Counts an order that was placed, after its commit. */
  readonly countPlaced: (channel: OrderInput["channel"]) => void;
}
