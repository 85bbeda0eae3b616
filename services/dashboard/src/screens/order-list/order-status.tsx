// The status of an order, and whether it is paid.
import { ORDER_STATUSES, type OrderState, paymentWording } from "../../format/order-words.ts";
import { Badge } from "../../ui/badge.tsx";

export function OrderStatus({ status, paymentStatus }: Pick<OrderState, "status" | "paymentStatus">) {
  const payment = paymentWording({ status, paymentStatus });
  return (
    <span className="row">
      <Badge tone={ORDER_STATUSES[status].tone}>{ORDER_STATUSES[status].text}</Badge>
      <Badge tone={payment.tone}>{payment.text}</Badge>
    </span>
  );
}
