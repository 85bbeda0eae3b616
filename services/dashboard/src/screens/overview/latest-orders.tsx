// The latest orders.
import { Link } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { Amount } from "../../ui/amount.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { ReadView } from "../../ui/views.tsx";
import { OrderStatus } from "../order-list/door.ts";

interface LatestOrdersProps {
  readonly orders: {
    readonly items: readonly ItemOf<"listOrders">[] | undefined;
    readonly error: Failure | null;
    readonly refetch: () => unknown;
  };
}

export function LatestOrders({ orders }: LatestOrdersProps) {
  const { items: data, error, refetch } = orders;
  return (
    <Section title="Latest orders" action={<Link to="/orders">All orders</Link>}>
      <ReadView read={{ data, error, refetch }}>
        {(items) =>
          items.length === 0 ? (
            <p className="latest-none">No order was placed yet.</p>
          ) : (
            <ul className="latest">
              {items.map((order) => (
                <Order key={order.id} order={order} />
              ))}
            </ul>
          )
        }
      </ReadView>
    </Section>
  );
}

function Order({ order }: { readonly order: ItemOf<"listOrders"> }) {
  const { id, orderNumber, status, paymentStatus, payableTotal, total, currency, createdAt } = order;
  return (
    <li>
      <div className="latest-lines">
        <Link to="/orders/$orderId" params={{ orderId: id }}>
          Order {orderNumber}
        </Link>
        <span className="soft">
          <Amount amount={payableTotal ?? total} currency={currency} /> · <Time at={createdAt} />
        </span>
      </div>
      <OrderStatus status={status} paymentStatus={paymentStatus} />
    </li>
  );
}
