import { Link } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import type { ReactNode } from "react";
import type { Failure } from "../../api/failure.ts";
import { type Receivers, useReceivers } from "../../data/use-receivers.ts";
import { DELIVERY_STATUSES, EVENT_TYPES } from "../../format/webhooks.ts";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time, Until } from "../../ui/time.tsx";
import { ReadView } from "../../ui/views.tsx";
import { ReceiverName } from "../deliveries/door.tsx";
import { OrderStatus } from "../order-list/door.tsx";

type Order = ItemOf<"listOrders">;
type Delivery = ItemOf<"listDeliveries">;

interface List<Item> {
  readonly items: readonly Item[] | undefined;
  readonly error: Failure | null;
  readonly refetch: () => unknown;
}

export function LatestOrders({ orders }: { readonly orders: List<Order> }) {
  return (
    <Latest
      title="Latest orders"
      all={<Link to="/orders">All orders</Link>}
      none="No order was placed yet."
      list={orders}
      row={(order) => <OrderRow order={order} />}
    />
  );
}

export function LatestDeliveries({ deliveries }: { readonly deliveries: List<Delivery> }) {
  const receivers = useReceivers();
  return (
    <Latest
      title="Latest deliveries"
      all={<Link to="/deliveries">All deliveries</Link>}
      none={
        <>
          Nothing was delivered yet. <Link to="/events">Why did nothing arrive?</Link>
        </>
      }
      list={deliveries}
      row={(delivery) => <DeliveryRow delivery={delivery} receivers={receivers} />}
    />
  );
}

interface LatestProps<Item> {
  readonly title: string;
  readonly all: ReactNode;
  readonly none: ReactNode;
  readonly list: List<Item>;
  readonly row: (item: Item) => ReactNode;
}

function Latest<Item extends { readonly id: string }>(props: LatestProps<Item>) {
  const { title, all, none, list, row } = props;
  const { items: data, error, refetch } = list;
  return (
    <Section title={title} action={all}>
      <ReadView read={{ data, error, refetch }}>
        {(items) =>
          items.length === 0 ? (
            <p className="latest-none">{none}</p>
          ) : (
            <ul className="latest card">
              {items.map((item) => (
                <li key={item.id}>{row(item)}</li>
              ))}
            </ul>
          )
        }
      </ReadView>
    </Section>
  );
}

function OrderRow({ order }: { readonly order: Order }) {
  const { id, orderNumber, total, payableTotal = total, currency, createdAt, placedAt = createdAt } = order;
  return (
    <>
      <div className="latest-lines">
        <Link to="/orders/$orderId" params={{ orderId: id }}>
          Order {orderNumber}
        </Link>
        <span className="soft">
          <Amount amount={payableTotal} currency={currency} /> · <Time at={placedAt} />
        </span>
      </div>
      <OrderStatus {...order} />
    </>
  );
}

interface DeliveryRowProps {
  readonly delivery: Delivery;
  readonly receivers: Receivers;
}

function DeliveryRow({ delivery, receivers }: DeliveryRowProps) {
  const { id, type, subscriptionId, status, nextAttemptAt, createdAt } = delivery;
  return (
    <>
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
    </>
  );
}
