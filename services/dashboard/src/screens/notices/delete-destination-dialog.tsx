// Asks before the destination is deleted. Notices are then sent nowhere.
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { say } from "../../ui/toasts.tsx";

export function DeleteDestinationDialog({ onClose }: { readonly onClose: () => void }) {
  const remove = useChange("deleteNoticeDestination", {
    stale: ["getNoticeDestination"],
    onDone: () => {
      say("Notices are not sent any more.");
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Stop sending notices?"
      action="Delete destination"
      change={remove}
      onConfirm={() => remove.mutate({})}
      onClose={onClose}
    >
      <p>What is still to be sent is dropped. The notices stay on this page.</p>
    </ConfirmDialog>
  );
}
