// Pauses or resumes a subscription.
import { useState } from "react";
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import { ifMatchOf, STALE } from "./change.ts";
import type { Subscription } from "./state.ts";

interface PauseDialogProps {
  readonly subscription: Subscription;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

export function PauseDialog({ subscription: { id, name, active }, etag, onClose }: PauseDialogProps) {
  // The question stays the same, even if someone else pauses or resumes it meanwhile.
  const [isPausing] = useState(active);
  const change = useChange("updateSubscription", {
    stale: [...STALE, "listDeliveries"],
    onDone: () => {
      say(isPausing ? `“${name}” is paused.` : `“${name}” is active again.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={isPausing ? `Pause “${name}”?` : `Resume “${name}”?`}
      action={isPausing ? "Pause" : "Resume"}
      look="primary"
      change={change}
      onConfirm={() => change.mutate({ path: { id }, body: { active: !isPausing }, ...ifMatchOf(etag) })}
      onClose={onClose}
    >
      {isPausing ? (
        <p>
          Nothing is sent until it is resumed. Nothing is lost: what is on its way, and what happens
          meanwhile, waits.
        </p>
      ) : (
        <p>What waits is sent, oldest first and at a pace that the receiver can follow.</p>
      )}
    </ConfirmDialog>
  );
}
