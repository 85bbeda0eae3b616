// The form of a draft. It saves against the version that was read when it was opened. If somebody else has saved meanwhile, both
// versions are shown, and nothing is overwritten without a question.
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { useVersionedChange } from "../../data/operations.ts";
import { wordsOf } from "../../format/words.ts";
import { Button } from "../../ui/button.tsx";
import { useLeaveGuard } from "../../ui/dialog.tsx";
import { Form, FormNote } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { type Difference, VersionConflict } from "../../ui/version-conflict.tsx";
import { EntryFields, explainEntry, isSlugConflict, useDraft } from "./entry-fields.tsx";
import { isSameValue, type TypeField, valueIn } from "./field-values.ts";
import type { Entry } from "./status.ts";
import { Value } from "./value.tsx";

interface EditFormProps {
  readonly entry: Entry;
  readonly etag: string | undefined;
  readonly fields: readonly TypeField[];
  readonly obstacle: Failure | null;
  readonly onClose: () => void;
}

export function EditForm({ entry, etag, fields, obstacle, onClose }: EditFormProps) {
  const draft = useDraft(fields, { entry, etag });
  const [refusal, setRefusal] = useState(obstacle);
  const guard = useLeaveGuard(draft.isDirty);
  const save = useVersionedChange("updateEntry", "getEntry", {
    stale: ["getEntry", "listEntries", "listRevisions"],
    done: ({ revision }) => `Revision ${revision} is saved. It is not live until it is published.`,
    onDone: () => {
      guard.release();
      onClose();
    },
  });
  const send = (ifMatch: string | undefined) => {
    const body = { ...(draft.isRenamed && { slug: draft.slug }), data: draft.changes };
    save.send({ path: { id: entry.id }, body, ifMatch });
  };
  const submit = () => {
    setRefusal(null);
    if (draft.isDirty) send(draft.base.etag);
    else onClose();
  };
  const theirs = save.theirs && { entry: save.theirs.data, etag: save.theirs.etag ?? undefined };
  const failure = refusal ?? save.error;
  return (
    <Form failure={failure} explain={null} onSubmit={submit}>
      {guard.dialog}
      {obstacle !== null && refusal === obstacle && (
        <Note
          tone="danger"
          title="The draft cannot go live yet"
          isAlert
          text="Correct the marked fields, save, and publish again."
        />
      )}
      <EntryFields
        fields={fields}
        draft={draft}
        slugHint="The entry's name in addresses. The live one keeps its slug until you publish."
        isSlugRequired
        isSlugTaken={isSlugConflict(save.error)}
      />
      {failure !== obstacle && (
        <FormNote explain={explainEntry({ type: entry.type, locale: entry.locale, slug: draft.slug })} />
      )}
      {theirs && (
        <VersionConflict
          differences={differences(fields, draft, theirs.entry)}
          onSaveYours={() => send(theirs.etag)}
          onTakeTheirs={() => {
            draft.startFrom(theirs);
            save.reset();
          }}
        />
      )}
      <div className="row">
        <Button text="Save draft" type="submit" look="primary" isBusy={save.isPending} />
        <Button text="Cancel" onClick={onClose} />
      </div>
    </Form>
  );
}

function differences(
  fields: readonly TypeField[],
  { slug, isRenamed, changes }: ReturnType<typeof useDraft>,
  now: Entry,
): Difference[] {
  const changed = fields.filter(
    ({ key }) =>
      Object.hasOwn(changes, key) && !isSameValue(changes[key] ?? undefined, valueIn(now.data, key)),
  );
  return [
    ...changed.map((field) => ({
      field: wordsOf(field.key),
      yours: <Value field={field} value={changes[field.key]} />,
      now: <Value field={field} value={valueIn(now.data, field.key)} />,
    })),
    ...(isRenamed && slug !== now.slug ? [{ field: "Slug", yours: slug, now: now.slug }] : []),
  ];
}
