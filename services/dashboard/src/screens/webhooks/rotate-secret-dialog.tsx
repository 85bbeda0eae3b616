// Replaces the signing secret. Both secrets sign for a while, so that the receiver can be changed meanwhile.

import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Note } from "../../ui/note.tsx";
import { Time } from "../../ui/time.tsx";
import { STALE } from "./change.ts";
import type { NewSecret } from "./secret-dialog.tsx";
import type { Subscription } from "./state.ts";

interface RotateSecretDialogProps {
  readonly subscription: Subscription;
  readonly etag: string | undefined;
  readonly onClose: () => void;
  readonly onRotated: (secret: NewSecret) => void;
}

const OVERLAPS = [
  { value: 0, text: "Not at all" },
  { value: 1, text: "For an hour" },
  { value: 24, text: "For a day" },
  { value: 72, text: "For three days" },
  { value: 168, text: "For a week" },
] as const;
const DEFAULT_HOURS = 24;

export function RotateSecretDialog({ subscription, etag, onClose, onRotated }: RotateSecretDialogProps) {
  const { id, name, previousSecretUntil } = subscription;
  const rotate = useChange("rotateSubscriptionSecret", { stale: STALE, onDone: onRotated });
  const isRefused = rotate.error?.code === "rotation_in_progress";
  const submit = (form: FormData) =>
    rotate.mutate({
      path: { id },
      body: { overlapHours: Number(form.get("overlapHours")), force: isRefused },
      ifMatch: etag,
    });
  const errors = fieldErrors(rotate.error?.details ?? [], ["overlapHours"]);
  return (
    <FormDialog
      title={`Rotate the secret of “${name}”`}
      action={isRefused ? "Rotate all the same" : "Rotate secret"}
      look={isRefused ? "danger" : "primary"}
      change={rotate}
      details={errors.rest}
      {...(isRefused && { note: <StillSigns until={previousSecretUntil} /> })}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>You get a new secret, which is shown once.</p>
      <SelectField
        label="The current secret goes on signing"
        hint="Time to give the receiver the new one. Until then each delivery is signed with both."
        error={errors.byField.overlapHours}
        name="overlapHours"
        options={OVERLAPS}
        defaultValue={DEFAULT_HOURS}
      />
    </FormDialog>
  );
}

function StillSigns({ until }: { readonly until: string | null }) {
  return (
    <Note tone="warning" title="An earlier secret still signs" isAlert>
      <p>
        The secret was rotated lately, and the one before it ends{" "}
        {until === null ? "soon" : <Time at={until} />}. Rotating again ends it at once: a receiver that knows
        only that one refuses every delivery.
      </p>
    </Note>
  );
}
