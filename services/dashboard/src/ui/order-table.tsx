// Orders as a table, the newest first.
import { Link } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import type { ReactNode } from "react";
import { CHANNELS, ORDER_STATUSES, PAYMENT_STATUSES } from "../format/order-words.ts";
import { Amount } from "./amount.tsx";
import { Badge } from "./badge.tsx";
import { type Column, Table } from "./table.tsx";
import { Time } from "./time.tsx";

type ListedOrder = ItemOf<"listOrders">;

interface OrderTableProps {
  readonly orders: readonly ListedOrder[];
  /** Returns the customer of an order, in lists with several customers. */
  readonly customerOf?: (customerId: string) => ReactNode;
}

export function OrderTable({ orders, customerOf }: OrderTableProps) {
  const columns: Column<ListedOrder>[] = [
    {
      name: "Order",
      isHeading: true,
      cell: ({ id, orderNumber }) => (
        <Link to="/orders/$orderId" params={{ orderId: id }}>
          <strong>
            <bdi>{orderNumber}</bdi>
          </strong>
        </Link>
      ),
    },
    { name: "Placed at", cell: ({ createdAt }) => <Time at={createdAt} /> },
    ...(customerOf === undefined
      ? []
      : [
          {
            name: "Customer",
            cardLine: 2 as const,
            cell: ({ customerId }: ListedOrder) => customerOf(customerId),
          },
        ]),
    { name: "External id", isMinor: true, cell: ({ externalId }) => <ExternalId id={externalId} /> },
    { name: "Channel", isMinor: true, cell: ({ channel }) => CHANNELS[channel] },
    {
      name: "Status",
      cardLine: 2,
      cell: ({ status }) => <Badge tone={ORDER_STATUSES[status].tone}>{ORDER_STATUSES[status].text}</Badge>,
    },
    {
      name: "Payment",
      cardLine: 2,
      cell: ({ paymentStatus }) => (
        <Badge tone={PAYMENT_STATUSES[paymentStatus].tone}>{PAYMENT_STATUSES[paymentStatus].text}</Badge>
      ),
    },
    {
      name: "Total",
      isNumber: true,
      cardLine: 1,
      cell: ({ total, currency }) => <Amount amount={total} currency={currency} />,
    },
  ];
  return <Table caption="Orders" columns={columns} rows={orders} />;
}

function ExternalId({ id }: { readonly id: string | undefined }) {
  return (
    id !== undefined && (
      <span className="lines">
        <bdi>{id}</bdi>
      </span>
    )
  );
}
