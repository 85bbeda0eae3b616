import { Link } from "@tanstack/react-router";
import { useChange } from "../../data/use-change.ts";
import { useRead } from "../../data/use-read.ts";
import { useEventTypes } from "../../data/use-receivers.ts";
import { useRefreshAt } from "../../data/use-refresh-at.ts";
import { DELIVERY_STATUSES, type EventType, isOpen } from "../../format/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { FormDialog } from "../../ui/change-dialogs.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Section } from "../../ui/screen.tsx";
import { Until } from "../../ui/time.tsx";
import { ReadView } from "../../ui/views.tsx";
import { type Subscription, testText } from "./texts.ts";

interface TestDialogProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

const LIVE_MS = 1_000;

export function TestDialog({ subscription: { id, name, active, events }, onClose }: TestDialogProps) {
  const { options } = useEventTypes();
  const test = useChange("sendTestDelivery", { stale: ["listDeliveries"] });
  const submit = (form: FormData) =>
    test.mutate({ path: { id }, body: { type: String(form.get("type")) as EventType } });
  return (
    <FormDialog
      title={`Send a test to “${name}”`}
      action={test.data ? "Send another" : "Send"}
      otherwise="Close"
      change={test}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        An example event with <code>"test": true</code> in its data. Nothing in the shop changes.
        {!active && " While the subscription is paused, it waits."}
      </p>
      <SelectField
        label="Event"
        hint="Also one that the subscription does not name."
        name="type"
        options={options}
        defaultValue={events[0]}
      />
      {test.data && <Result key={test.data.data.id} deliveryId={test.data.data.id} />}
    </FormDialog>
  );
}

function Result({ deliveryId }: { readonly deliveryId: string }) {
  const read = useRead(
    "getDelivery",
    { path: { id: deliveryId } },
    { everyMs: ({ status }) => isOpen(status) && LIVE_MS },
  );
  useRefreshAt([read.data?.nextAttemptAt ?? null], read.refetch);
  return (
    <Section title="Result">
      <ReadView read={read}>
        {(delivery) => (
          <>
            <p className="row">
              <Badge {...DELIVERY_STATUSES[delivery.status]} />
              <span role="status">{testText(delivery)}</span>
              {delivery.status === "retrying" && delivery.nextAttemptAt !== null && (
                <span>
                  The next attempt is due <Until at={delivery.nextAttemptAt} />.
                </span>
              )}
            </p>
            <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
              Open the delivery
            </Link>
          </>
        )}
      </ReadView>
    </Section>
  );
}
