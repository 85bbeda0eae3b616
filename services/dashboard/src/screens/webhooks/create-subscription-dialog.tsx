// The form for a new subscription: its address, and its events.
import { useState } from "react";
import { useChange } from "../../data/use-change.ts";
import type { EventType } from "../../format/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
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
    <Dialog title="Create a subscription" onClose={onClose} isWide>
      <Form failure={create.error} onSubmit={submit}>
        {create.error && <WebhooksFailure failure={create.error} details={otherDetails(details)} />}
        <SubscriptionFields from={newDraft(type === undefined ? [] : [type])} details={details} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            Create subscription
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
