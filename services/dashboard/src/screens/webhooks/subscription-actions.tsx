import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange, useRead } from "../../data/operations.ts";
import { useEventTypes } from "../../data/use-receivers.ts";
import { useRefreshAt } from "../../data/use-refresh-at.ts";
import { DELIVERY_STATUSES, type EventType, isOpen } from "../../format/webhooks.ts";
import { TextLink } from "../../ui/button.tsx";
import { Confirm, DialogButton, FormDialog } from "../../ui/change-dialogs.tsx";
import { SelectField } from "../../ui/field.tsx";
import { ReadView } from "../../ui/list.tsx";
import { MenuDialog, ScreenActions, Section } from "../../ui/screen.tsx";
import { Badge, Until } from "../../ui/value.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import { type NewSecret, RotateSecretDialog, SecretDialog } from "./secret-dialogs.tsx";
import { ChangeSubscriptionDialog } from "./subscription-dialogs.tsx";
import { retriedText, STALE, type Subscription, testText } from "./texts.ts";

interface SubscriptionActionsProps {
  readonly subscription: Subscription;
  readonly etag: string | undefined;
}

export function SubscriptionActions(props: SubscriptionActionsProps) {
  const navigate = useNavigate({ from: "/webhooks/$subscriptionId" });
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const { active } = props.subscription;
  return (
    <ScreenActions>
      <DialogButton text="Send a test" look="primary">
        <TestDialog {...props} />
      </DialogButton>
      <DialogButton text="Edit">
        <ChangeSubscriptionDialog {...props} />
      </DialogButton>
      <DialogButton text={active ? "Pause" : "Resume"}>
        <PauseDialog {...props} />
      </DialogButton>
      <DialogButton text="Retry what waits now" isOffered={active}>
        <RetryDialog {...props} />
      </DialogButton>
      <DialogButton text="Replay">
        <ReplayDialog {...props} onStarted={(replay) => void navigate({ search: { replay } })} />
      </DialogButton>
      <MenuDialog text="Rotate secret">
        <RotateSecretDialog {...props} onRotated={setSecret} />
      </MenuDialog>
      <MenuDialog text="Delete">
        <DeleteDialog {...props} />
      </MenuDialog>
      {secret && <SecretDialog secret={secret} onStored={() => setSecret(null)} />}
    </ScreenActions>
  );
}

function PauseDialog({ subscription: { id, name, active }, etag }: SubscriptionActionsProps) {
  // The question stays the same, even if someone else pauses or resumes it meanwhile.
  const [isPausing] = useState(active);
  return (
    <Confirm
      title={isPausing ? `Pause “${name}”?` : `Resume “${name}”?`}
      action={isPausing ? "Pause" : "Resume"}
      look="primary"
      operation="updateSubscription"
      input={{ path: { id }, ifMatch: etag, body: { active: !isPausing } }}
      stale={[...STALE, "listDeliveries"]}
      done={isPausing ? `“${name}” is paused.` : `“${name}” is active again.`}
      text={
        isPausing
          ? "Nothing is sent until it is resumed. Nothing is lost: what is on its way, and what happens meanwhile, waits."
          : "What waits is sent, oldest first and at a pace that the receiver can follow."
      }
    />
  );
}

function RetryDialog({ subscription: { id, name } }: SubscriptionActionsProps) {
  return (
    <Confirm
      title={`Retry what waits for “${name}” now?`}
      action="Retry now"
      look="primary"
      operation="retryWaitingDeliveries"
      input={{ path: { id } }}
      stale={[...STALE, "listDeliveries", "listNotices", "getWebhookStatistics"]}
      done={({ waiting }) => retriedText(waiting)}
      text="Every delivery that waits is due now, oldest first and within the limits, even if the receiver has asked for more time. Each keeps the attempts that it has left."
    />
  );
}

function DeleteDialog({ subscription: { id, name, active }, etag }: SubscriptionActionsProps) {
  const navigate = useNavigate();
  return (
    <Confirm
      title={`Delete “${name}”?`}
      action="Delete subscription"
      operation="deleteSubscription"
      input={{ path: { id }, ifMatch: etag }}
      stale={[...STALE, "listDeliveries"]}
      done={`“${name}” is deleted.`}
      onDone={() => navigate({ to: "/webhooks" })}
      text="Deliveries that are not over are cancelled, and nothing more is sent to its URL. The log keeps what was sent. This cannot be undone."
    >
      {active && <p className="soft">To stop for a while and lose nothing, pause it instead.</p>}
    </Confirm>
  );
}

const LIVE_MS = 1_000;

function TestDialog({ subscription: { id, name, active, events } }: SubscriptionActionsProps) {
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
            <TextLink to="/deliveries/$deliveryId" params={{ deliveryId }} text="Open the delivery" />
          </>
        )}
      </ReadView>
    </Section>
  );
}
