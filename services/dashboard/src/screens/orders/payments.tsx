// The payments and refunds of an order.
import type { ItemOf } from "@tradepost/client/operations";
import type { ComponentProps } from "react";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { ListView } from "../../ui/views.tsx";

type Payment = ItemOf<"listPayments">;

interface PaymentsProps {
  readonly list: ComponentProps<typeof ListView<Payment>>["list"];
  readonly currency: string;
}

export function Payments({ list, currency }: PaymentsProps) {
  const columns: Column<Payment>[] = [
    {
      name: "What",
      isHeading: true,
      cell: ({ kind, status }) =>
        status === "failed" ? (
          <Badge tone="danger">Payment failed</Badge>
        ) : kind === "refund" ? (
          <Badge tone="warning">Refund</Badge>
        ) : (
          <Badge tone="good">Payment</Badge>
        ),
    },
    { name: "When", cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: "Reference",
      cell: ({ reference, reason }) => (
        <div className="lines">
          {reference === null ? <span className="soft">None</span> : <code>{reference}</code>}
          {reason !== null && (
            <span className="soft">
              <bdi>{reason}</bdi>
            </span>
          )}
        </div>
      ),
    },
    { name: "Amount", isNumber: true, cell: ({ amount }) => <Amount amount={amount} currency={currency} /> },
  ];
  return (
    <Section title="Payments and refunds">
      <ListView list={list} empty={<p className="soft">No payment is recorded yet.</p>}>
        {(payments) => <Table caption="Payments and refunds" columns={columns} rows={payments} />}
      </ListView>
    </Section>
  );
}
