// Asks before a subscription is deleted.
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ifMatchOf } from "./change.ts";
import type { Subscription } from "./state.ts";

interface DeleteSubscriptionDialogProps {
  readonly subscription: Subscription;
  readonly etag: string | undefined;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteSubscriptionDialog(props: DeleteSubscriptionDialogProps) {
  const { subscription, etag, onClose, onDeleted } = props;
  const { id, name, active } = subscription;
  const remove = useChange("deleteSubscription", {
    stale: ["listSubscriptions", "listDeliveries", "getSubscription"],
    onDone: onDeleted,
  });
  return (
    <ConfirmDialog
      title={`Delete “${name}”?`}
      action="Delete subscription"
      change={remove}
      onConfirm={() => remove.mutate({ path: { id }, ...ifMatchOf(etag) })}
      onClose={onClose}
    >
      <p>
        Deliveries that are not over are cancelled, and nothing more is sent to its URL. The log keeps what
        was sent. This cannot be undone.
      </p>
      {active && <p className="soft">To stop for a while and lose nothing, pause it instead.</p>}
    </ConfirmDialog>
  );
}
