// Asks before a new setup link ends the earlier one.
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import type { Person } from "./manage.ts";
import type { SetupLink } from "./setup-link-dialog.tsx";

interface MakeLinkDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
  readonly onMade: (link: SetupLink) => void;
}

export function MakeLinkDialog({ person: { id, name }, onClose, onMade }: MakeLinkDialogProps) {
  const make = useChange("createSetupLink", {
    stale: ["listUsers"],
    onDone: ({ token, expiresAt }) => onMade({ name, token, expiresAt }),
  });
  return (
    <ConfirmDialog
      title={`Make a new setup link for “${name}”?`}
      action="Make link"
      look="primary"
      change={make}
      onConfirm={() => make.mutate({ path: { id } })}
      onClose={onClose}
    >
      <p>
        For someone who forgot the password, or whose link has expired. An earlier link stops working now. The
        password and the sessions end when the new link is used.
      </p>
    </ConfirmDialog>
  );
}
