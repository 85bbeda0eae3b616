// The status of an order, and whether it is paid.
import { ORDER_STATUSES, type OrderState, PAYMENT_STATUSES } from "../../format/order-words.ts";
import { Badge } from "../../ui/badge.tsx";

export function OrderStatus({ status, paymentStatus }: Pick<OrderState, "status" | "paymentStatus">) {
  return (
    <span className="row">
      <Badge tone={ORDER_STATUSES[status].tone}>{ORDER_STATUSES[status].text}</Badge>
      <Badge tone={PAYMENT_STATUSES[paymentStatus].tone}>{PAYMENT_STATUSES[paymentStatus].text}</Badge>
    </span>
  );
}
