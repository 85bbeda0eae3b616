// Asks before a replay is cancelled, which takes back the deliveries that it has not sent yet.
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { say } from "../../ui/toasts.tsx";

interface CancelReplayDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function CancelReplayDialog({ id, onClose }: CancelReplayDialogProps) {
  const cancel = useChange("cancelReplay", {
    stale: ["getReplay", "listReplays", "listDeliveries", "getSubscription"],
    onDone: ({ status }) => {
      say(status === "cancelled" ? "The replay is cancelled." : "Everything was sent already.");
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Cancel the replay?"
      action="Cancel the replay"
      otherwise="Go on sending"
      change={cancel}
      onConfirm={() => cancel.mutate({ path: { id } })}
      onClose={onClose}
    >
      <p>
        What was not sent yet becomes what it was before, also if it is already queued. What was sent stays
        sent.
      </p>
    </ConfirmDialog>
  );
}
