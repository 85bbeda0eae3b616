// Asks before a key is ended for good.
import { useChange } from "../../data/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toasts.tsx";
import type { ApiKey } from "./key-state.ts";

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

export function RevokeKeyDialog({ apiKey: { id, label, lastUsedAt }, onClose }: RevokeKeyDialogProps) {
  const revoke = useChange("revokeApiKey", {
    stale: ["listApiKeys"],
    onDone: () => {
      say(`The key “${label}” is revoked.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke “${label}”?`}
      action="Revoke key"
      change={revoke}
      onConfirm={() => revoke.mutate({ path: { id } })}
      onClose={onClose}
    >
      <p>
        Requests with this key are refused from now on. This cannot be undone.{" "}
        {lastUsedAt === null ? (
          "It was never used."
        ) : (
          <>
            It was last used <Time at={lastUsedAt} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
