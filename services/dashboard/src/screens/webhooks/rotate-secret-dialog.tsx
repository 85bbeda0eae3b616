// Replaces the signing secret. Both secrets sign for a while, so that the receiver can be changed meanwhile.
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { Time } from "../../ui/time.tsx";
import { ifMatchOf, STALE } from "./change.ts";
import type { NewSecret } from "./secret-dialog.tsx";
import type { Subscription } from "./state.ts";

interface RotateSecretDialogProps {
  readonly subscription: Subscription;
  readonly etag: string | undefined;
  readonly onClose: () => void;
  readonly onRotated: (secret: NewSecret) => void;
}

const OVERLAPS = [
  { hours: 0, text: "Not at all" },
  { hours: 1, text: "For an hour" },
  { hours: 24, text: "For a day" },
  { hours: 72, text: "For three days" },
  { hours: 168, text: "For a week" },
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
      ...ifMatchOf(etag),
    });
  const errors = fieldErrors(rotate.error?.details ?? [], ["overlapHours"]);
  return (
    <Dialog title={`Rotate the secret of “${name}”`} onClose={onClose}>
      <Form failure={rotate.error} onSubmit={submit}>
        {rotate.error && !isRefused && <ErrorNote failure={rotate.error} details={errors.rest} />}
        {isRefused && (
          <Note tone="warning" title="An earlier secret still signs" isAlert>
            <p>
              The secret was rotated lately, and the one before it ends{" "}
              {previousSecretUntil === null ? "soon" : <Time at={previousSecretUntil} />}. Rotating again ends
              it at once: a receiver that knows only that one refuses every delivery.
            </p>
          </Note>
        )}
        <p>You get a new secret, which is shown once.</p>
        <Field
          label="The current secret goes on signing"
          hint="Time to give the receiver the new one. Until then each delivery is signed with both."
          error={errors.byField.overlapHours}
        >
          {(control) => (
            <select {...control} className="input" name="overlapHours" defaultValue={DEFAULT_HOURS}>
              {OVERLAPS.map(({ hours, text }) => (
                <option key={hours} value={hours}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={isRefused ? "danger" : "primary"} isBusy={rotate.isPending}>
            {isRefused ? "Rotate all the same" : "Rotate secret"}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
