// The forms of a new subscription and of a changed one. A change is against the version that was read when the form was opened.
import type { ErrorDetail } from "@tradepost/client/operations";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { useChange } from "../../data/use-change.ts";
import type { EventType } from "../../format/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/change-dialogs.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { ErrorNote, Note } from "../../ui/note.tsx";
import { say } from "../../ui/toasts.tsx";
import { VersionConflict } from "../../ui/version-conflict.tsx";
import { bodyOf, type Draft, differencesOf, draftIn, draftOf, headersTwice, newDraft } from "./draft.ts";
import type { NewSecret } from "./secret-dialogs.tsx";
import { STALE, type Subscription } from "./state.ts";
import { otherDetails, SubscriptionFields } from "./subscription-fields.tsx";

interface CreateSubscriptionDialogProps {
  readonly type: EventType | undefined;
  readonly onClose: () => void;
  readonly onCreated: (secret: NewSecret) => void;
}

export function CreateSubscriptionDialog({ type, onClose, onCreated }: CreateSubscriptionDialogProps) {
  const create = useChange("createSubscription", { stale: ["listSubscriptions"], onDone: onCreated });
  const [twice, setTwice] = useState<ReturnType<typeof headersTwice>>([]);
  const submit = (form: FormData) => {
    const draft = draftIn(form);
    const faults = headersTwice(draft);
    setTwice(faults);
    if (faults.length === 0) create.mutate({ body: bodyOf(draft) });
  };
  const details = [...twice, ...(create.error?.details ?? [])];
  return (
    <FormDialog
      title="Create a subscription"
      action="Create subscription"
      change={create}
      note={create.error && <WebhooksFailure failure={create.error} details={otherDetails(details)} />}
      onSubmit={submit}
      onClose={onClose}
      isWide
    >
      <SubscriptionFields from={newDraft(type === undefined ? [] : [type])} details={details} />
    </FormDialog>
  );
}

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

interface WebhooksFailureProps {
  readonly failure: Failure;
  readonly details?: readonly ErrorDetail[];
}

function WebhooksFailure({ failure, details = [] }: WebhooksFailureProps) {
  if (failure.code !== "subscription_limit") return <ErrorNote failure={failure} details={details} />;
  return (
    <Note tone="danger" title="This shop has 50 subscriptions, which is the limit" isAlert>
      <p>Delete one that is no longer needed, or let one receiver pass its events on.</p>
    </Note>
  );
}
