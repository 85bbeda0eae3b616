// Asks before waiting deliveries are retried now, because an endpoint that asked for time gets them early.
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import { STALE } from "./change.ts";
import { retriedText, type Subscription } from "./state.ts";

interface RetryWaitingDialogProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

export function RetryWaitingDialog({ subscription: { id, name }, onClose }: RetryWaitingDialogProps) {
  const retry = useChange("retryWaitingDeliveries", {
    stale: [...STALE, "listDeliveries", "listNotices", "getWebhookStatistics"],
    onDone: ({ waiting }) => {
      say(retriedText(waiting));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Retry what waits for “${name}” now?`}
      action="Retry now"
      look="primary"
      change={retry}
      onConfirm={() => retry.mutate({ path: { id } })}
      onClose={onClose}
    >
      <p>
        Every delivery that waits is due now, oldest first and within the limits, even if the receiver has
        asked for more time. Each keeps the attempts that it has left.
      </p>
    </ConfirmDialog>
  );
}
