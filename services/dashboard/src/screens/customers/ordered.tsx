import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { addressesOf, addressLines, textOf } from "../../format/address.ts";
import { Amount } from "../../ui/amount.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Time } from "../../ui/time.tsx";
import { summaryOf } from "./summary.ts";
import "./customer.css";
import { useQuery } from "@tanstack/react-query";
import type { ItemOf } from "@tradepost/client/operations";
import { request } from "../../session/request.ts";

const ADDRESSES_MAX = 5;

export function Ordered({ customerId }: { readonly customerId: string }) {
  const { data } = useOrdersOf(customerId);
  const [last] = data?.orders ?? [];
  if (data === undefined || last === undefined) return null;
  const { count, sums } = summaryOf(data.orders);
  const addresses = addressesOf(data.orders).slice(0, ADDRESSES_MAX);
  return (
    <Facts label="Orders of this customer">
      <Fact name="Orders">
        {count.toLocaleString("en")}
        {!data.isAll && (
          <span className="soft"> of the latest {data.orders.length.toLocaleString("en")}</span>
        )}
      </Fact>
      <Fact name="Sum, less refunds">
        {sums.length === 0 && "–"}
        {sums.map(({ currency, amount }, index) => (
          <Fragment key={currency}>
            {index > 0 && " · "}
            <Amount amount={amount} currency={currency} />
          </Fragment>
        ))}
      </Fact>
      <Fact name="Last order">
        <Link to="/orders/$orderId" params={{ orderId: last.id }}>
          <bdi>{last.orderNumber}</bdi>
        </Link>
        , <Time at={last.createdAt} />
      </Fact>
      {addresses.length > 0 && (
        <Fact name={addresses.length === 1 ? "Address" : "Addresses"}>
          {addresses.map((address) => (
            <p key={textOf(address)} className="customer-address">
              {addressLines(address).join("\n")}
            </p>
          ))}
        </Fact>
      )}
    </Facts>
  );
}

interface OrdersOf {
  readonly orders: readonly ItemOf<"listOrders">[];
  readonly isAll: boolean;
}

const PAGE_ORDERS = 100;
const PAGES_MAX = 5;
const LIVE_MS = 30_000;

function useOrdersOf(customerId: string) {
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
