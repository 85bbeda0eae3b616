// Asks before the signing secret of the destination is replaced.
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { bodyOf, type Stored } from "./destination-draft.ts";

interface RotateDestinationDialogProps {
  readonly destination: Stored;
  readonly onClose: () => void;
  readonly onRotated: (stored: Stored) => void;
}

export function RotateDestinationDialog({ destination, onClose, onRotated }: RotateDestinationDialogProps) {
  const rotate = useChange("putNoticeDestination", { stale: ["getNoticeDestination"], onDone: onRotated });
  return (
    <ConfirmDialog
      title="Rotate the secret that signs notices?"
      action="Rotate secret"
      change={rotate}
      onConfirm={() => rotate.mutate({ body: bodyOf(destination, true) })}
      onClose={onClose}
    >
      <p>You get a new secret, which is shown once. The current one ends at once.</p>
    </ConfirmDialog>
  );
}
