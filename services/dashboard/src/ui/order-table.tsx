// Orders as a table, the newest first.
import { Link } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import type { ReactNode } from "react";
import { money } from "../format/money.ts";
import { CHANNELS, ORDER_STATUSES, PAYMENT_STATUSES } from "../format/order-words.ts";
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
    { name: "Order", isHeading: true, cell: (order) => <Name order={order} /> },
    { name: "Placed at", cell: ({ createdAt }) => <Time at={createdAt} /> },
    ...(customerOf === undefined
      ? []
      : [{ name: "Customer", cell: ({ customerId }: ListedOrder) => customerOf(customerId) }]),
    { name: "Channel", cell: ({ channel }) => CHANNELS[channel] },
    {
      name: "Status",
      cell: ({ status }) => <Badge tone={ORDER_STATUSES[status].tone}>{ORDER_STATUSES[status].text}</Badge>,
    },
    {
      name: "Payment",
      cell: ({ paymentStatus }) => (
        <Badge tone={PAYMENT_STATUSES[paymentStatus].tone}>{PAYMENT_STATUSES[paymentStatus].text}</Badge>
      ),
    },
    { name: "Total", isNumber: true, cell: ({ total, currency }) => money(total, currency) },
  ];
  return <Table caption="Orders" columns={columns} rows={orders} />;
}

function Name({ order: { id, orderNumber, externalId } }: { readonly order: ListedOrder }) {
  return (
    <div className="lines">
      <Link to="/orders/$orderId" params={{ orderId: id }}>
        <strong>
          <bdi>{orderNumber}</bdi>
        </strong>
      </Link>
      {externalId !== undefined && (
        <span className="soft">
          <bdi>{externalId}</bdi>
        </span>
      )}
    </div>
  );
}
