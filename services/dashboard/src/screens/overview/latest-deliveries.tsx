// The latest deliveries.
import { Link } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { type Receivers, useReceivers } from "../../data/use-receivers.ts";
import { DELIVERY_STATUSES, EVENT_TYPES } from "../../format/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { Section } from "../../ui/section.tsx";
import { Time, Until } from "../../ui/time.tsx";
import { ReadView } from "../../ui/views.tsx";
import { ReceiverName } from "../deliveries/door.ts";

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
