// Replaces a key by one with the same label and scopes. Both work for a while, so that the program can be changed meanwhile.
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import type { ApiKey } from "./key-state.ts";
import type { NewSecret } from "./secret-dialog.tsx";

interface RotateKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onRotated: (secret: NewSecret) => void;
}

const OVERLAPS = [
  { hours: 0, text: "Not at all: it is refused at once" },
  { hours: 1, text: "For an hour" },
  { hours: 24, text: "For a day" },
  { hours: 72, text: "For three days" },
  { hours: 168, text: "For a week" },
] as const;
const DEFAULT_HOURS = 24;

export function RotateKeyDialog({ apiKey, onClose, onRotated }: RotateKeyDialogProps) {
  const rotate = useChange("rotateApiKey", {
    stale: ["listApiKeys"],
    onDone: ({ key, label }) =>
      onRotated({
        key,
        label,
        remark:
          "The old key is in the list until it expires. Its last use shows whether anything still needs it.",
      }),
  });
  const submit = (form: FormData) =>
    rotate.mutate({ path: { id: apiKey.id }, body: { overlapHours: Number(form.get("overlapHours")) } });
  const errors = fieldErrors(rotate.error?.details ?? [], ["overlapHours"]);
  return (
    <Dialog title={`Rotate “${apiKey.label}”`} onClose={onClose}>
      <Form failure={rotate.error} onSubmit={submit}>
        {rotate.error && <ErrorNote failure={rotate.error} details={errors.rest} />}
        <p>You get a new key with the same label and scopes.</p>
        <Field
          label="The old key goes on working"
          hint="Time to put the new key where the old one is. It never works longer than it would have."
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
          <Button type="submit" look="primary" isBusy={rotate.isPending}>
            Rotate key
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
