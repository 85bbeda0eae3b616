import { Link } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { type Receivers, useReceivers } from "../../data/use-receivers.ts";
import { DELIVERY_STATUSES, EVENT_TYPES } from "../../format/webhooks.ts";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Section } from "../../ui/section.tsx";
import { Time, Until } from "../../ui/time.tsx";
import { ReadView } from "../../ui/views.tsx";
import { ReceiverName } from "../deliveries/door.ts";
import { OrderStatus } from "../order-list/door.tsx";

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

type ListedDelivery = ItemOf<"listDeliveries">;

interface LatestDeliveriesProps {
  readonly deliveries: {
    readonly items: readonly ListedDelivery[] | undefined;
    readonly error: Failure | null;
    readonly refetch: () => unknown;
  };
}

export function LatestDeliveries({ deliveries }: LatestDeliveriesProps) {
  const { items: data, error, refetch } = deliveries;
  const receivers = useReceivers();
  return (
    <Section title="Latest deliveries" action={<Link to="/deliveries">All deliveries</Link>}>
      <ReadView read={{ data, error, refetch }}>
        {(items) =>
          items.length === 0 ? (
            <p className="latest-none">
              Nothing was delivered yet. <Link to="/events">Why did nothing arrive?</Link>
            </p>
          ) : (
            <ul className="latest">
              {items.map((delivery) => (
                <Delivery key={delivery.id} delivery={delivery} receivers={receivers} />
              ))}
            </ul>
          )
        }
      </ReadView>
    </Section>
  );
}

interface DeliveryProps {
  readonly delivery: ListedDelivery;
  readonly receivers: Receivers;
}

function Delivery({ delivery, receivers }: DeliveryProps) {
  const { id, type, subscriptionId, status, nextAttemptAt, createdAt } = delivery;
  return (
    <li>
      <div className="latest-lines">
        <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }}>
          {EVENT_TYPES[type]}
        </Link>
        <span className="soft">
          <ReceiverName id={subscriptionId} receivers={receivers} /> · <Time at={createdAt} />
        </span>
      </div>
      <div className="latest-lines">
        <Badge tone={DELIVERY_STATUSES[status].tone}>{DELIVERY_STATUSES[status].text}</Badge>
        {status === "retrying" && nextAttemptAt !== null && (
          <span className="soft">
            next <Until at={nextAttemptAt} />
          </span>
        )}
      </div>
    </li>
  );
}
