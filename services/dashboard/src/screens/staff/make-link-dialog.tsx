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

export function MakeLinkDialog({ person: { id, name, state }, onClose, onMade }: MakeLinkDialogProps) {
  const make = useChange("createSetupLink", {
    stale: ["listUsers", "listAuditLog"],
    onDone: ({ token, expiresAt }) => onMade({ name, token, expiresAt }),
  });
  const isInvited = state === "invited";
  return (
    <ConfirmDialog
      title={isInvited ? `Invite “${name}” again?` : `Make a new setup link for “${name}”?`}
      action="Make link"
      look="primary"
      change={make}
      onConfirm={() => make.mutate({ path: { id } })}
      onClose={onClose}
    >
      <p>
        {isInvited
          ? "You get a new link to send to them. It works for 24 hours, and the earlier one stops working now."
          : "For someone who forgot the password. An earlier link stops working now. The password and the sessions end when the new link is used."}
      </p>
    </ConfirmDialog>
  );
}
