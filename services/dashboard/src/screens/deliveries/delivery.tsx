import { useParams } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";
import { useRead } from "../../data/operations.ts";
import { type Receivers, useReceivers } from "../../data/use-receivers.ts";
import { useRefreshAt } from "../../data/use-refresh-at.ts";
import { DELIVERY_STATUSES, EVENT_TYPES, isOpen } from "../../format/webhooks.ts";
import { TextLink } from "../../ui/button.tsx";
import { Confirm, DialogButton } from "../../ui/change-dialogs.tsx";
import { CopiedId } from "../../ui/code.tsx";
import { ReadView } from "../../ui/list.tsx";
import { BehindTheScreen, Facts, Screen } from "../../ui/screen.tsx";
import { Badge, ExactTime, Until } from "../../ui/value.tsx";
import { Attempts, Request } from "./attempts.tsx";
import { ReceiverName } from "./door.tsx";
import { type DeliveryWithAttempts, isTest, summaryOf } from "./summary.ts";
import "./delivery.css";

// A body can be large, so the delivery is read less often while its next attempt is far away.
const LIVE_MS = 2_000;
const WAITING_MS = 10_000;

export default function Delivery() {
  const { deliveryId } = useParams({ from: "/app/deliveries/$deliveryId" });
  const input = { path: { id: deliveryId } };
  const receivers = useReceivers();
  const read = useRead("getDelivery", input, { everyMs });
  useRefreshAt([read.data?.nextAttemptAt ?? null], read.refetch);
  return (
    <Screen
      title={read.data === undefined ? "Delivery" : `Delivery: ${EVENT_TYPES[read.data.type]}`}
      action={read.data && <Redeliver delivery={read.data} receivers={receivers} />}
    >
      <ReadView read={read}>
        {(delivery) => (
          <>
            <Verdict delivery={delivery} receivers={receivers} />
            <div className="columns">
              <div className="column">
                <Attempts attempts={delivery.attempts} />
                {delivery.request !== null && <Request request={delivery.request} />}
              </div>
              <DeliveryFacts delivery={delivery} receivers={receivers} />
            </div>
          </>
        )}
      </ReadView>
      <BehindTheScreen operation="getDelivery" input={input} />
    </Screen>
  );
}

function everyMs({ status, nextAttemptAt }: DeliveryWithAttempts): number | false {
  if (!isOpen(status)) return false;
  const isFar = nextAttemptAt === null || Date.parse(nextAttemptAt) - Date.now() > WAITING_MS;
  return status !== "pending" && isFar ? WAITING_MS : LIVE_MS;
}

interface PartProps {
  readonly delivery: DeliveryWithAttempts;
  readonly receivers: Receivers;
}

function Redeliver({ delivery, receivers }: PartProps) {
  const isAdmin = useIsAllowed({ role: "admin" });
  const receiver = receivers.find(delivery.subscriptionId);
  const isPaused = receiver?.active === false;
  if (!isAdmin) return null;
  return (
    <DialogButton
      text="Redeliver"
      look={delivery.status === "failed" ? "primary" : "plain"}
      isOffered={receiver !== null}
    >
      <Confirm
        title="Redeliver?"
        action="Redeliver"
        look="primary"
        operation="redeliver"
        input={{ path: { id: delivery.id } }}
        // The subscriptions are read again too, because this one may have been deleted.
        stale={["getDelivery", "listDeliveries", "listSubscriptions", "listListeners"]}
        done={isPaused ? "It is sent once the subscription is resumed." : "It is sent once more."}
      >
        <p>
          The same event is sent with a new set of attempts{isPaused && ", once its subscription is resumed"}.
        </p>
        <p className="soft">
          The delivery id stays the same, so a receiver that keeps the ids it has seen recognizes a delivery
          that it has processed before.
        </p>
      </Confirm>
    </DialogButton>
  );
}

function Verdict({ delivery, receivers }: PartProps) {
  const { status, nextAttemptAt, subscriptionId } = delivery;
  const summary = summaryOf(delivery, receivers.find(subscriptionId));
  return (
    <section className="verdict" aria-label="What happened">
      <div className="row">
        <Badge {...DELIVERY_STATUSES[status]} />
        {isTest(delivery) && <Badge tone="quiet">Test</Badge>}
      </div>
      <p className="verdict-title">
        {/* The countdown is left out: screen readers would read every second. */}
        <span role="status">{summary.title}</span>
        {status === "retrying" && nextAttemptAt !== null && (
          <>
            , <Until at={nextAttemptAt} />
          </>
        )}
      </p>
      {summary.text !== "" && <p className="soft">{summary.text}</p>}
    </section>
  );
}

function DeliveryFacts({ delivery, receivers }: PartProps) {
  const { id, eventId, type, subscriptionId, createdAt, completedAt } = delivery;
  const isDeleted = receivers.find(subscriptionId) === null;
  return (
    <Facts
      label="This delivery"
      of={{
        Subscription: (
          <>
            <ReceiverName id={subscriptionId} receivers={receivers} />
            {isDeleted && <p className="soft">It was deleted, so nothing more can be sent.</p>}
          </>
        ),
        Event: (
          <>
            <TextLink to="/events/$eventId" params={{ eventId }} text={EVENT_TYPES[type]} />{" "}
            <code className="soft">{type}</code>
          </>
        ),
        Created: <ExactTime at={createdAt} />,
        Over: completedAt && <ExactTime at={completedAt} />,
        "Delivery id": <CopiedId id={id} what="delivery id" />,
        "Event id": <CopiedId id={eventId} what="event id" />,
        "Subscription id": <CopiedId id={subscriptionId} what="subscription id" />,
      }}
    />
  );
}
