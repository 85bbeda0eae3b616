import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange, useRead } from "../../data/operations.ts";
import { useEventTypes } from "../../data/use-receivers.ts";
import { useRefreshAt } from "../../data/use-refresh-at.ts";
import { DELIVERY_STATUSES, type EventType, isOpen } from "../../format/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm, FormDialog } from "../../ui/change-dialogs.tsx";
import { SelectField } from "../../ui/field.tsx";
import { ReadView } from "../../ui/list.tsx";
import { MenuItem } from "../../ui/menu.tsx";
import { ScreenActions, ScreenMenu, Section } from "../../ui/screen.tsx";
import { Badge, Until } from "../../ui/value.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import { type NewSecret, RotateSecretDialog, SecretDialog } from "./secret-dialogs.tsx";
import { ChangeSubscriptionDialog } from "./subscription-dialogs.tsx";
import { retriedText, STALE, type Subscription, testText } from "./texts.ts";

interface SubscriptionActionsProps {
  readonly subscription: Subscription;
  readonly etag: string | undefined;
}

// The question to pause or resume stays the same, even if someone else pauses or resumes it meanwhile.
type Open = "test" | "change" | "pause" | "resume" | "retry" | "replay" | "rotate" | "delete" | null;

export function SubscriptionActions(props: SubscriptionActionsProps) {
  const navigate = useNavigate({ from: "/webhooks/$subscriptionId" });
  const [open, setOpen] = useState<Open>(null);
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const { subscription } = props;
  const { active } = subscription;
  const close = () => setOpen(null);
  return (
    <ScreenActions>
      <Button text="Send a test" look="primary" onClick={() => setOpen("test")} />
      <Button text="Edit" onClick={() => setOpen("change")} />
      <Button text={active ? "Pause" : "Resume"} onClick={() => setOpen(active ? "pause" : "resume")} />
      {active && <Button text="Retry what waits now" onClick={() => setOpen("retry")} />}
      <Button text="Replay" onClick={() => setOpen("replay")} />
      <ScreenMenu>
        <MenuItem text="Rotate secret" onClick={() => setOpen("rotate")} />
        <MenuItem text="Delete" onClick={() => setOpen("delete")} />
      </ScreenMenu>
      {open === "test" && <TestDialog subscription={subscription} onClose={close} />}
      {open === "change" && <ChangeSubscriptionDialog {...props} onClose={close} />}
      {open === "replay" && (
        <ReplayDialog
          subscription={subscription}
          onClose={close}
          onStarted={(replay) => {
            close();
            void navigate({ search: { replay } });
          }}
        />
      )}
      {open === "rotate" && (
        <RotateSecretDialog
          {...props}
          onClose={close}
          onRotated={(rotated) => {
            close();
            setSecret(rotated);
          }}
        />
      )}
      <Question {...props} open={open} onClose={close} />
      {secret && <SecretDialog secret={secret} onStored={() => setSecret(null)} />}
    </ScreenActions>
  );
}

interface QuestionProps extends SubscriptionActionsProps {
  readonly open: Open;
  readonly onClose: () => void;
}

function Question({ subscription: { id, name, active }, etag, open, onClose }: QuestionProps) {
  const navigate = useNavigate();
  const input = { path: { id }, ifMatch: etag };
  const isPausing = open === "pause";
  switch (open) {
    case "pause":
    case "resume":
      return (
        <Confirm
          title={isPausing ? `Pause “${name}”?` : `Resume “${name}”?`}
          action={isPausing ? "Pause" : "Resume"}
          look="primary"
          operation="updateSubscription"
          input={{ ...input, body: { active: !isPausing } }}
          stale={[...STALE, "listDeliveries"]}
          done={isPausing ? `“${name}” is paused.` : `“${name}” is active again.`}
          onClose={onClose}
        >
          <p>
            {isPausing
              ? "Nothing is sent until it is resumed. Nothing is lost: what is on its way, and what happens meanwhile, waits."
              : "What waits is sent, oldest first and at a pace that the receiver can follow."}
          </p>
        </Confirm>
      );
    case "retry":
      return (
        <Confirm
          title={`Retry what waits for “${name}” now?`}
          action="Retry now"
          look="primary"
          operation="retryWaitingDeliveries"
          input={{ path: { id } }}
          stale={[...STALE, "listDeliveries", "listNotices", "getWebhookStatistics"]}
          done={({ waiting }) => retriedText(waiting)}
          onClose={onClose}
        >
          <p>
            Every delivery that waits is due now, oldest first and within the limits, even if the receiver has
            asked for more time. Each keeps the attempts that it has left.
          </p>
        </Confirm>
      );
    case "delete":
      return (
        <Confirm
          title={`Delete “${name}”?`}
          action="Delete subscription"
          operation="deleteSubscription"
          input={input}
          stale={[...STALE, "listDeliveries"]}
          done={`“${name}” is deleted.`}
          onDone={() => navigate({ to: "/webhooks" })}
          onClose={onClose}
        >
          <p>
            Deliveries that are not over are cancelled, and nothing more is sent to its URL. The log keeps
            what was sent. This cannot be undone.
          </p>
          {active && <p className="soft">To stop for a while and lose nothing, pause it instead.</p>}
        </Confirm>
      );
    default:
      return null;
  }
}

interface TestDialogProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

const LIVE_MS = 1_000;

function TestDialog({ subscription: { id, name, active, events }, onClose }: TestDialogProps) {
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
