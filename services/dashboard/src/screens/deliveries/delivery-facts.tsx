// The known facts about a delivery.
import { Link } from "@tanstack/react-router";
import type { Receivers } from "../../data/use-receivers.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { CopiedId } from "../../ui/id.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { ReceiverName } from "./receiver-name.tsx";
import type { DeliveryWithAttempts } from "./summary.ts";

interface DeliveryFactsProps {
  readonly delivery: DeliveryWithAttempts;
  readonly receivers: Receivers;
}

export function DeliveryFacts({ delivery, receivers }: DeliveryFactsProps) {
  const { id, eventId, type, subscriptionId, createdAt, completedAt } = delivery;
  const isDeleted = receivers.find(subscriptionId) === null;
  return (
    <Facts label="This delivery">
      <Fact name="Subscription">
        <ReceiverName id={subscriptionId} receivers={receivers} />
        {isDeleted && <p className="soft">It was deleted, so nothing more can be sent.</p>}
      </Fact>
      <Fact name="Event">
        <Link to="/events/$eventId" params={{ eventId }}>
          {EVENT_TYPES[type]}
        </Link>{" "}
        <code className="soft">{type}</code>
      </Fact>
      <Fact name="Created">
        <ExactTime at={createdAt} />
      </Fact>
      {completedAt !== null && (
        <Fact name="Over">
          <ExactTime at={completedAt} />
        </Fact>
      )}
      <Fact name="Delivery id">
        <CopiedId id={id} what="delivery id" />
      </Fact>
      <Fact name="Event id">
        <CopiedId id={eventId} what="event id" />
      </Fact>
      <Fact name="Subscription id">
        <CopiedId id={subscriptionId} what="subscription id" />
      </Fact>
    </Facts>
  );
}
