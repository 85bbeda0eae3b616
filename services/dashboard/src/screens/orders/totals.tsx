// The parts of an order's total, and how much is paid. Used for placed and for new orders.
import type { DataOf } from "@tradepost/client/operations";
import { Amount } from "../../ui/value.tsx";

type Order = DataOf<"getOrder">;

interface TotalsProps {
  readonly order: Pick<
    Order,
    "subtotal" | "shippingTotal" | "taxTotal" | "discountTotal" | "total" | "currency"
  > &
    Partial<Pick<Order, "payableTotal" | "paidTotal" | "refundedTotal" | "amountDue">>;
}

export function Totals({ order }: TotalsProps) {
  const { subtotal, shippingTotal, taxTotal, discountTotal, total, currency } = order;
  const { payableTotal = total, paidTotal, refundedTotal = 0, amountDue } = order;
  const rows: Row[] = [
    { name: "Items", amount: subtotal },
    { name: "Shipping", amount: shippingTotal },
    { name: "Tax", amount: taxTotal },
    { name: "Discount", amount: discountTotal, isSubtracted: true },
    { name: "Total", amount: total, isSum: true },
  ];
  // Unit prices may have more decimals than the currency.
  if (payableTotal !== total) rows.push({ name: "To pay, rounded", amount: payableTotal, isSum: true });
  if (paidTotal !== undefined) rows.push({ name: "Paid", amount: paidTotal });
  if (refundedTotal > 0) rows.push({ name: "Refunded", amount: refundedTotal });
  if (amountDue !== undefined) rows.push({ name: "Amount due", amount: amountDue, isSum: true });
  return (
    <dl className="totals">
      {rows.map(({ name, amount, isSum = false, isSubtracted = false }) => (
        <div key={name} className={isSum ? "totals-sum" : undefined}>
          <dt>{name}</dt>
          <dd className="number">
            {isSubtracted && amount > 0 && "− "}
            <Amount amount={amount} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Row {
  readonly name: string;
  readonly amount: number;
  readonly isSum?: true;
  readonly isSubtracted?: true;
}
