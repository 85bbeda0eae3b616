import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Receivers } from "../../data/use-receivers.ts";
import type { Selection } from "../../data/use-selection.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";
import { counted } from "../../format/words.ts";
import { request } from "../../session/request.ts";
import { ConfirmMany } from "../../ui/bulk-dialogs.tsx";
import { Button } from "../../ui/button.tsx";
import { SelectAll } from "../../ui/select-all.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { type ListedDelivery, ReceiverName } from "./door.tsx";

interface TickedDeliveriesProps {
  readonly selection: Selection<ListedDelivery>;
  readonly receivers: Receivers;
}

const STALE = ["listDeliveries", "getDelivery", "getWebhookEvent", "listWebhookEvents"] as const;

export function TickedDeliveries({ selection, receivers }: TickedDeliveriesProps) {
  const [sent, setSent] = useState<readonly ListedDelivery[] | null>(null);
  const actionOn = ({ length }: readonly unknown[]) =>
    `Redeliver ${counted(length, "delivery", "deliveries")}`;
  return (
    <>
      <SelectAll label="Selected deliveries" selection={selection}>
        <Button text={actionOn(selection.ticked)} onClick={() => setSent(selection.ticked)} />
      </SelectAll>
      {sent !== null && (
        <ConfirmMany
          action={actionOn(sent)}
          look="primary"
          items={sent}
          columns={columnsOf(receivers)}
          doneText="Queued"
          stale={STALE}
          send={({ id }, options) => request("redeliver", { path: { id } }, options)}
          onClose={(doneCount) => {
            setSent(null);
            if (doneCount > 0) selection.tickShown(false);
          }}
        >
          <p>
            Each is sent once more, with the same delivery id and a new set of attempts. What a receiver has
            handled already, it should recognise by the id.
          </p>
        </ConfirmMany>
      )}
    </>
  );
}

function columnsOf(receivers: Receivers): Column<ListedDelivery>[] {
  return [
    {
      name: "Delivery",
      isHeading: true,
      cell: ({ id, type, createdAt }) => (
        <div className="lines">
          <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }} target="_blank">
            {EVENT_TYPES[type]}
          </Link>
          <span className="soft">
            <Time at={createdAt} />
          </span>
        </div>
      ),
    },
    {
      name: "Subscription",
      cell: ({ subscriptionId }) => <ReceiverName id={subscriptionId} receivers={receivers} />,
    },
  ];
}
