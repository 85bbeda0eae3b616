// One delivery: its history, every attempt, and the request as it was sent.

import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useRead } from "../../data/use-read.ts";
import { type Receivers, useReceivers } from "../../data/use-receivers.ts";
import { useRefreshAt } from "../../data/use-refresh-at.ts";
import { EVENT_TYPES, isOpen } from "../../format/webhooks.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ReadView } from "../../ui/views.tsx";
import { Attempts } from "./attempts.tsx";
import { DeliveryFacts } from "./delivery-facts.tsx";
import { Request } from "./request.tsx";
import type { DeliveryWithAttempts } from "./summary.ts";
import { Verdict } from "./verdict.tsx";

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
            <Verdict
              delivery={delivery}
              isListener={receivers.find(delivery.subscriptionId)?.kind === "listener"}
            />
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

interface RedeliverProps {
  readonly delivery: DeliveryWithAttempts;
  readonly receivers: Receivers;
}

function Redeliver({ delivery, receivers }: RedeliverProps) {
  const isAdmin = useIsAllowed({ role: "admin" });
  const [isAsking, setAsking] = useState(false);
  const receiver = receivers.find(delivery.subscriptionId);
  const isPaused = receiver?.isActive === false;
  if (!isAdmin) return null;
  return (
    <>
      {receiver !== null && (
        <Button look={delivery.status === "failed" ? "primary" : "plain"} onClick={() => setAsking(true)}>
          Redeliver
        </Button>
      )}
      {isAsking && (
        <Confirm
          title="Redeliver?"
          action="Redeliver"
          look="primary"
          operation="redeliver"
          input={{ path: { id: delivery.id } }}
          // The subscriptions are read again too, because this one may have been deleted.
          stale={["getDelivery", "listDeliveries", "listSubscriptions", "listListeners"]}
          done={isPaused ? "It is sent once the subscription is resumed." : "It is sent once more."}
          onClose={() => setAsking(false)}
        >
          <p>
            The same event is sent with a new set of attempts
            {isPaused && ", once its subscription is resumed"}.
          </p>
          <p className="soft">
            The delivery id stays the same, so a receiver that keeps the ids it has seen recognizes a delivery
            that it has processed before.
          </p>
        </Confirm>
      )}
    </>
  );
}
