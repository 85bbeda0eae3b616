// Changes a subscription, against the version that was read when the form was opened.
import { useState } from "react";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { say } from "../../ui/toasts.tsx";
import { VersionConflict } from "../../ui/version-conflict.tsx";
import { STALE } from "./change.ts";
import { bodyOf, type Draft, differencesOf, draftIn, draftOf, headersTwice } from "./draft.ts";
import type { Subscription } from "./state.ts";
import { otherDetails, SubscriptionFields } from "./subscription-fields.tsx";
import { WebhooksFailure } from "./webhooks-failure.tsx";

interface ChangeSubscriptionDialogProps {
  /** The current subscription, which may change while the form is open. */
  readonly subscription: Subscription;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

export function ChangeSubscriptionDialog(props: ChangeSubscriptionDialogProps) {
  const { subscription, etag, onClose } = props;
  const [base, setBase] = useState({ draft: draftOf(subscription), etag });
  const [yours, setYours] = useState<Draft>(base.draft);
  const change = useChange("updateSubscription", {
    stale: [...STALE, "listDeliveries"],
    onDone: ({ name }) => {
      say(`“${name}” is changed.`);
      onClose();
    },
  });
  const send = (draft: Draft, version: string | undefined) =>
    change.mutate({ path: { id: subscription.id }, body: bodyOf(draft), ifMatch: version });
  const submit = (form: FormData) => {
    const draft = draftIn(form);
    setYours(draft);
    if (headersTwice(draft).length === 0) send(draft, base.etag);
  };
  const now = { draft: draftOf(subscription), etag };
  const isConflict = change.error?.status === 412;
  const details = [...headersTwice(yours), ...(change.error?.details ?? [])];
  return (
    <Dialog title={`Edit “${base.draft.name}”`} onClose={onClose} isWide>
      <Form failure={change.error} onSubmit={submit}>
        {isConflict && (
          <VersionConflict
            differences={differencesOf(yours, now.draft)}
            onSaveYours={() => {
              setBase({ ...base, etag: now.etag });
              send(yours, now.etag);
            }}
            onTakeTheirs={onClose}
          />
        )}
        {change.error && !isConflict && (
          <WebhooksFailure failure={change.error} details={otherDetails(details)} />
        )}
        {!isConflict && (
          <>
            {/* After a conflict the fields return with the typed values. */}
            <SubscriptionFields from={yours} details={details} />
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="primary" isBusy={change.isPending}>
                Save
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
