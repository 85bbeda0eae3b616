// The actions of an admin on a subscription.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { ScreenActions } from "../../ui/screen.tsx";
import { say } from "../../ui/toasts.tsx";
import { ChangeSubscriptionDialog } from "./change-subscription-dialog.tsx";
import { DeleteSubscriptionDialog } from "./delete-subscription-dialog.tsx";
import { PauseDialog } from "./pause-dialog.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import { RetryWaitingDialog } from "./retry-waiting-dialog.tsx";
import { RotateSecretDialog } from "./rotate-secret-dialog.tsx";
import { type NewSecret, SecretDialog } from "./secret-dialog.tsx";
import type { Subscription } from "./state.ts";
import { TestDialog } from "./test-dialog.tsx";

interface SubscriptionActionsProps {
  readonly subscription: Subscription;
  readonly etag: string | undefined;
}

type Open = "test" | "change" | "pause" | "retry" | "replay" | "rotate" | "delete" | null;

export function SubscriptionActions(props: SubscriptionActionsProps) {
  const navigate = useNavigate({ from: "/webhooks/$subscriptionId" });
  const [open, setOpen] = useState<Open>(null);
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const { subscription } = props;
  const close = () => setOpen(null);
  return (
    <ScreenActions>
      <Button look="primary" onClick={() => setOpen("test")}>
        Send a test
      </Button>
      <Button onClick={() => setOpen("change")}>Edit</Button>
      <Button onClick={() => setOpen("pause")}>{subscription.active ? "Pause" : "Resume"}</Button>
      {subscription.active && <Button onClick={() => setOpen("retry")}>Retry what waits now</Button>}
      <Button onClick={() => setOpen("replay")}>Replay</Button>
      <Menu label="More actions">
        <MenuItem onClick={() => setOpen("rotate")}>Rotate secret</MenuItem>
        <MenuItem onClick={() => setOpen("delete")}>Delete</MenuItem>
      </Menu>
      {open === "test" && <TestDialog subscription={subscription} onClose={close} />}
      {open === "change" && <ChangeSubscriptionDialog {...props} onClose={close} />}
      {open === "pause" && <PauseDialog {...props} onClose={close} />}
      {open === "retry" && <RetryWaitingDialog subscription={subscription} onClose={close} />}
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
      {open === "delete" && (
        <DeleteSubscriptionDialog
          {...props}
          onClose={close}
          onDeleted={() => {
            say(`“${subscription.name}” is deleted.`);
            void navigate({ to: "/webhooks" });
          }}
        />
      )}
      {secret && <SecretDialog secret={secret} onStored={() => setSecret(null)} />}
    </ScreenActions>
  );
}
