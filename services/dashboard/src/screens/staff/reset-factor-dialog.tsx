// Asks before the second factor of a person who has lost it is removed.
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import type { Person } from "./manage.ts";

interface ResetFactorDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
}

export function ResetFactorDialog({ person: { id, name }, onClose }: ResetFactorDialogProps) {
  const reset = useChange("resetSecondFactor", {
    stale: ["listUsers", "listUserSessions"],
    onDone: () => {
      say(`The second factor of “${name}” is reset.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Reset the second factor of “${name}”?`}
      action="Reset second factor"
      change={reset}
      onConfirm={() => reset.mutate({ path: { id } })}
      onClose={onClose}
    >
      <p>
        For someone who has lost the phone and the recovery codes. Make sure that it is this person who asks.
        Their sessions end; then the password is all that a sign-in needs, until they set up another one.
      </p>
    </ConfirmDialog>
  );
}
