// Asks before a delivery is sent once more.
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { say } from "../../ui/toasts.tsx";

interface RedeliverDialogProps {
  readonly id: string;
  readonly isPaused: boolean;
  readonly onClose: () => void;
}

export function RedeliverDialog({ id, isPaused, onClose }: RedeliverDialogProps) {
  const redeliver = useChange("redeliver", {
    // The subscriptions are read again too, because this one may have been deleted.
    stale: ["getDelivery", "listDeliveries", "listSubscriptions", "listListeners"],
    onDone: () => {
      say(isPaused ? "It is sent once the subscription is resumed." : "It is sent once more.");
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Redeliver?"
      action="Redeliver"
      look="primary"
      change={redeliver}
      onConfirm={() => redeliver.mutate({ path: { id } })}
      onClose={onClose}
    >
      <p>
        The same event is sent with a new set of attempts
        {isPaused && ", once its subscription is resumed"}.
      </p>
      <p className="soft">
        The delivery id stays the same, so a receiver that keeps the ids it has seen recognizes a delivery
        that it has processed before.
      </p>
    </ConfirmDialog>
  );
}
