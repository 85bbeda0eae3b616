// Reads the orders of a customer, page after page, to sum them up.
import { useQuery } from "@tanstack/react-query";
import type { ItemOf } from "@tradepost/client/operations";
import { request } from "../../session/request.ts";

interface OrdersOf {
  /** The newest come first. */
  readonly orders: readonly ItemOf<"listOrders">[];
  /** False if the customer has more. */
  readonly isAll: boolean;
}

const PAGE_ORDERS = 100;
const PAGES_MAX = 5;
const LIVE_MS = 30_000;

export function useOrdersOf(customerId: string) {
  return useQuery<OrdersOf>({
    queryKey: ["listOrders", "of customer", customerId],
    queryFn: async ({ signal }) => {
      const orders: ItemOf<"listOrders">[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const query = { customerId, limit: PAGE_ORDERS, ...(cursor !== null && { cursor }) };
        const reply: { data: ItemOf<"listOrders">[]; nextCursor: string | null } = await request(
          "listOrders",
          { query },
          { signal },
        );
        orders.push(...reply.data);
        cursor = reply.nextCursor;
        if (cursor === null) return { orders, isAll: true };
      }
      return { orders, isAll: false };
    },
    refetchInterval: LIVE_MS,
  });
}
