// Asks before a person is removed for good.
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import type { Person } from "./manage.ts";
import { StaffFailure } from "./staff-failure.tsx";

interface RemovePersonDialogProps {
  readonly person: Person;
  readonly isMe: boolean;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

export function RemovePersonDialog({ person, isMe, onClose, onRemoved }: RemovePersonDialogProps) {
  const remove = useChange("deleteUser", { stale: ["listUsers"], onDone: onRemoved });
  return (
    <Dialog title={`Remove “${person.name}”?`} onClose={onClose}>
      {remove.error && <StaffFailure failure={remove.error} />}
      <p>
        {isMe ? "You are signed out at once and cannot sign in again." : "They are signed out at once."} This
        cannot be undone; to stop them for a while, make them inactive instead. What they did stays in the
        audit log.
      </p>
      <DialogActions>
        <Button onClick={onClose}>Keep</Button>
        <Button
          look="danger"
          isBusy={remove.isPending}
          onClick={() => remove.mutate({ path: { id: person.id } })}
        >
          Remove person
        </Button>
      </DialogActions>
    </Dialog>
  );
}
