// Asks before a file is deleted.
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import type { Media } from "./status.tsx";

interface DeleteMediaDialogProps {
  readonly media: Media;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteMediaDialog({ media: { id, filename }, onClose, onDeleted }: DeleteMediaDialogProps) {
  const remove = useChange("deleteMedia", {
    stale: ["listMedia"],
    onDone: () => {
      say(`${filename} is deleted.`);
      onDeleted();
    },
  });
  return (
    <ConfirmDialog
      title="Delete this file?"
      action="Delete file"
      change={remove}
      onConfirm={() => remove.mutate({ path: { id } })}
      onClose={onClose}
    >
      <p>
        <strong>{filename}</strong> and its versions are gone at once, and links to them no longer work.
        Entries that use it keep its id, but show nothing. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
