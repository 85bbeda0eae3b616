import type { ItemOf } from "@tradepost/client/operations";
import type { ReactNode } from "react";
import { CHANNELS, type OrderState, paymentWording, statusWording } from "../../format/order-words.ts";
import { NameLink } from "../../ui/button.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { Amount, Badge, Time } from "../../ui/value.tsx";

type ListedOrder = ItemOf<"listOrders">;

interface OrderTableProps {
  readonly orders: readonly ListedOrder[];
  readonly customerOf?: (customerId: string) => ReactNode;
  readonly ticks?: Column<ListedOrder>;
}

export function OrderTable({ orders, customerOf, ticks }: OrderTableProps) {
  const columns: (Column<ListedOrder> | undefined)[] = [
    ticks,
    {
      name: "Order",
      cell: ({ id, orderNumber }) => (
        <NameLink to="/orders/$orderId" params={{ orderId: id }} name={orderNumber} />
      ),
    },
    { name: "Placed at", cell: ({ placedAt, createdAt }) => <Time at={placedAt ?? createdAt} /> },
    customerOf && { name: "Customer", cardLine: 2, cell: ({ customerId }) => customerOf(customerId) },
    {
      name: "External id",
      isMinor: true,
      cell: ({ externalId }) =>
        externalId && (
          <bdi className="cut" title={externalId}>
            {externalId}
          </bdi>
        ),
    },
    {
      name: "Channel",
      isMinor: true,
      cell: ({ channel }) => <span className="cut">{CHANNELS[channel]}</span>,
    },
    { name: "Status", cardLine: 2, cell: (order) => <Badge {...statusWording(order)} /> },
    { name: "Payment", cardLine: 2, cell: (order) => <Badge {...paymentWording(order)} /> },
    {
      name: "Total",
      isNumber: true,
      cardLine: 1,
      cell: ({ payableTotal, currency }) => <Amount amount={payableTotal} currency={currency} />,
    },
  ];
  const shown = columns.filter((column) => column !== undefined);
  return <Table caption="Orders" columns={shown} rows={orders} />;
}

export function OrderStatus(order: Omit<OrderState, "allowedActions">) {
  return (
    <span className="row">
      <Badge {...statusWording(order)} />
      <Badge {...paymentWording(order)} />
    </span>
  );
}
