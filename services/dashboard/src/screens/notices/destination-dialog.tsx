// The form for the destination of notices. It replaces the whole destination.

import { useState } from "react";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Field, FieldGroup, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
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
    <FormDialog
      title="Where notices are sent"
      action="Save"
      change={change}
      details={rest}
      onSubmit={(form) => change.mutate({ body: bodyOf(draftIn(form)) })}
      onClose={onClose}
    >
      <TextField
        label="URL"
        hint="It gets signed requests, as a subscription does."
        error={byField.url}
        name="url"
        type="url"
        maxLength={URL_CHARACTERS_MAX}
        defaultValue={url ?? ""}
        placeholder="https://example.com/notices"
        spellCheck={false}
      />
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
    </FormDialog>
  );
}
