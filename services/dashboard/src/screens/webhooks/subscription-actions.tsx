import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/change-dialogs.tsx";
import { MenuItem } from "../../ui/menu.tsx";
import { ScreenActions, ScreenMenu } from "../../ui/screen.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import { type NewSecret, RotateSecretDialog, SecretDialog } from "./secret-dialogs.tsx";
import { ChangeSubscriptionDialog } from "./subscription-dialogs.tsx";
import { TestDialog } from "./test-dialog.tsx";
import { retriedText, STALE, type Subscription } from "./texts.ts";

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
