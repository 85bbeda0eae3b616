// The form for the destination of notices. It replaces the whole destination.
import { useState } from "react";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field, FieldGroup } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { ALL_KINDS, bodyOf, type Draft, draftIn, type Stored } from "./destination-draft.ts";
import { NOTICE_KINDS } from "./texts.ts";

interface DestinationDialogProps {
  readonly from: Draft;
  readonly onClose: () => void;
  readonly onStored: (stored: Stored) => void;
}

const URL_CHARACTERS_MAX = 2_048;

export function DestinationDialog({ from, onClose, onStored }: DestinationDialogProps) {
  // The form keeps the values with which it was opened, even if the stored ones change.
  const [{ url, emails, kinds }] = useState(from);
  const change = useChange("putNoticeDestination", { stale: ["getNoticeDestination"], onDone: onStored });
  const { byField, rest } = fieldErrors(change.error?.details ?? [], ["url", "emails", "kinds"]);
  return (
    <Dialog title="Where notices are sent" onClose={onClose}>
      <Form failure={change.error} onSubmit={(form) => change.mutate({ body: bodyOf(draftIn(form)) })}>
        {change.error && <ErrorNote failure={change.error} details={rest} />}
        <Field label="URL" hint="It gets signed requests, as a subscription does." error={byField.url}>
          {(control) => (
            <input
              {...control}
              className="input"
              name="url"
              type="url"
              maxLength={URL_CHARACTERS_MAX}
              defaultValue={url ?? ""}
              placeholder="https://example.com/notices"
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="E-mails" hint="Up to 10 addresses, one on each line." error={byField.emails}>
          {(control) => (
            <textarea
              {...control}
              className="input"
              name="emails"
              defaultValue={emails.join("\n")}
              spellCheck={false}
            />
          )}
        </Field>
        <FieldGroup label="Kinds" error={byField.kinds}>
          <div className="choices">
            {ALL_KINDS.map((kind) => (
              <label key={kind} className="choice">
                <input
                  type="checkbox"
                  name="kinds"
                  value={kind}
                  defaultChecked={kinds === null || kinds.includes(kind)}
                />
                <span>{NOTICE_KINDS[kind].text}</span>
              </label>
            ))}
          </div>
        </FieldGroup>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={change.isPending}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
