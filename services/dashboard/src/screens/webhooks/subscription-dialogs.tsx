// The forms of a new subscription and of a changed one. A change is against the version that was read when the form was opened.
import { useState } from "react";
import type { EventType } from "../../format/webhooks.ts";
import { ChangeDialog } from "../../ui/change-dialogs.tsx";
import { explaining } from "../../ui/form.tsx";
import { differencesOf, draftIn, draftOf, newDraft } from "./draft.ts";
import type { NewSecret } from "./secret-dialogs.tsx";
import { SubscriptionFields } from "./subscription-fields.tsx";
import { STALE, type Subscription } from "./texts.ts";

interface CreateSubscriptionDialogProps {
  readonly type: EventType | undefined;
  readonly onClose: () => void;
  readonly onCreated: (secret: NewSecret) => void;
}

export function CreateSubscriptionDialog({ type, onClose, onCreated }: CreateSubscriptionDialogProps) {
  return (
    <ChangeDialog
      title="Create a subscription"
      isWide
      action="Create subscription"
      operation="createSubscription"
      input={(form) => ({ body: draftIn(form) })}
      stale={["listSubscriptions"]}
      onDone={onCreated}
      explain={explain}
      onClose={onClose}
    >
      <SubscriptionFields from={newDraft(type === undefined ? [] : [type])} />
    </ChangeDialog>
  );
}

interface ChangeSubscriptionDialogProps {
  /** The current subscription, which may change while the form is open. */
  readonly subscription: Subscription;
  readonly etag: string | undefined;
}

export function ChangeSubscriptionDialog({ subscription, etag }: ChangeSubscriptionDialogProps) {
  const { id } = subscription;
  const [seen] = useState(() => draftOf(subscription));
  return (
    <ChangeDialog
      title={`Edit “${seen.name}”`}
      isWide
      action="Save"
      operation="updateSubscription"
      input={(form) => ({ path: { id }, body: draftIn(form) })}
      etag={etag}
      differences={({ body = {} }) => differencesOf({ ...seen, ...body }, draftOf(subscription))}
      stale={[...STALE, "listDeliveries"]}
      done={({ name }) => `“${name}” is changed.`}
      explain={explain}
    >
      <SubscriptionFields from={seen} />
    </ChangeDialog>
  );
}

const explain = explaining(
  "subscription_limit",
  "This shop has 50 subscriptions, which is the limit",
  "Delete one that is no longer needed, or let one receiver pass its events on.",
);
