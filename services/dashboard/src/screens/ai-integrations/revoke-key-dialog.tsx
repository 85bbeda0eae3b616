// Asks before a key is ended for good.
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
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
    <Dialog title={`Revoke “${label}”?`} onClose={onClose}>
      {revoke.error && <ErrorNote failure={revoke.error} />}
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
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate({ path: { id } })}>
          Revoke key
        </Button>
      </DialogActions>
    </Dialog>
  );
}
