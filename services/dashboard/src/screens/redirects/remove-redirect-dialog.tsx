// Asks before a redirect is removed.
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import type { Redirect } from "./redirect-type.ts";

interface RemoveRedirectDialogProps {
  readonly redirect: Redirect;
  readonly onClose: () => void;
}

export function RemoveRedirectDialog({ redirect: { id, from, to }, onClose }: RemoveRedirectDialogProps) {
  const remove = useChange("deleteRedirect", {
    stale: ["listRedirects", "resolveRedirect"],
    onDone: () => {
      say(`The redirect from ${from} is removed.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Remove this redirect?"
      action="Remove redirect"
      change={remove}
      onConfirm={() => remove.mutate({ path: { id } })}
      onClose={onClose}
    >
      <p>
        Visitors of <code>{from}</code> no longer get to <code>{to}</code>. Browsers that remember it go there
        all the same.
      </p>
    </ConfirmDialog>
  );
}
