// The form for a new subscription: its address, and its events.

import { useState } from "react";
import { useChange } from "../../data/use-change.ts";
import type { EventType } from "../../format/webhooks.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { bodyOf, draftIn, headersTwice, newDraft } from "./draft.ts";
import type { NewSecret } from "./secret-dialog.tsx";
import { otherDetails, SubscriptionFields } from "./subscription-fields.tsx";
import { WebhooksFailure } from "./webhooks-failure.tsx";

interface CreateSubscriptionDialogProps {
  /** The event type that is chosen at first. */
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
