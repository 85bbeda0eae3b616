// The forms of a new subscription and of a changed one. A change is against the version that was read when the form was opened.
import type { ErrorDetail } from "@tradepost/client/operations";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { useChange } from "../../data/use-change.ts";
import type { EventType } from "../../format/webhooks.ts";
import { FormDialog } from "../../ui/change-dialogs.tsx";
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
  const [draft] = useState(() => draftOf(subscription));
  const [version, setVersion] = useState(etag);
  const [yours, setYours] = useState<Draft>(draft);
  const change = useChange("updateSubscription", {
    stale: [...STALE, "listDeliveries"],
    onDone: ({ name }) => {
      say(`“${name}” is changed.`);
      onClose();
    },
  });
  const send = (sent: Draft, ifMatch: string | undefined) =>
    change.mutate({ path: { id: subscription.id }, body: bodyOf(sent), ifMatch });
  const submit = (form: FormData) => {
    const sent = draftIn(form);
    setYours(sent);
    if (headersTwice(sent).length === 0) send(sent, version);
  };
  const saveYours = () => {
    setVersion(etag);
    send(yours, etag);
  };
  const details = [...headersTwice(yours), ...(change.error?.details ?? [])];
  const differences = differencesOf(yours, draftOf(subscription));
  return (
    <FormDialog
      title={`Edit “${draft.name}”`}
      action="Save"
      change={change}
      note={change.error && <WebhooksFailure failure={change.error} details={otherDetails(details)} />}
      instead={
        change.error?.status === 412 && (
          <VersionConflict differences={differences} onSaveYours={saveYours} onTakeTheirs={onClose} />
        )
      }
      onSubmit={submit}
      onClose={onClose}
      isWide
    >
      <SubscriptionFields from={draft} details={details} />
    </FormDialog>
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
