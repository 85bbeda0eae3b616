// Replaces a key by one with the same label and scopes. Both work for a while, so that the program can be changed meanwhile.

import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { ApiKey } from "./key-state.ts";
import type { NewSecret } from "./secret-dialog.tsx";

interface RotateKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onRotated: (secret: NewSecret) => void;
}

const OVERLAPS = [
  { value: 0, text: "Not at all: it is refused at once" },
  { value: 1, text: "For an hour" },
  { value: 24, text: "For a day" },
  { value: 72, text: "For three days" },
  { value: 168, text: "For a week" },
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
    <FormDialog
      title={`Rotate “${apiKey.label}”`}
      action="Rotate key"
      change={rotate}
      details={errors.rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>You get a new key with the same label and scopes.</p>
      <SelectField
        label="The old key goes on working"
        hint="Time to put the new key where the old one is. It never works longer than it would have."
        error={errors.byField.overlapHours}
        name="overlapHours"
        options={OVERLAPS}
        defaultValue={DEFAULT_HOURS}
      />
    </FormDialog>
  );
}
