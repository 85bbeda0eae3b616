// The form of a draft. It saves against the version that was read when it was opened. If somebody else has saved meanwhile, both
// versions are shown, and nothing is overwritten without a question.
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { useChange } from "../../data/operations.ts";
import { wordsOf } from "../../format/words.ts";
import { request } from "../../session/request.ts";
import { Button } from "../../ui/button.tsx";
import { useLeaveGuard } from "../../ui/dialog.tsx";
import { Form, FormNote } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { type Difference, VersionConflict } from "../../ui/version-conflict.tsx";
import { EntryFields, explainEntry, isSlugConflict } from "./entry-fields.tsx";
import { changesOf, type Data, isSameValue, type Texts, type TypeField, textsOf } from "./field-values.ts";
import type { Entry } from "./status.ts";
import { Value } from "./value.tsx";

interface EditFormProps {
  readonly entry: Entry;
  readonly etag: string | undefined;
  readonly fields: readonly TypeField[];
  readonly obstacle: Failure | null;
  readonly onClose: () => void;
}

interface ReadEntry {
  readonly entry: Entry;
  readonly etag: string | undefined;
}

export function EditForm({ entry, etag, fields, obstacle, onClose }: EditFormProps) {
  const draft = useDraft(fields, { entry, etag });
  const [refusal, setRefusal] = useState(obstacle);
  const guard = useLeaveGuard(draft.isDirty);
  const save = useSave(entry.id, {
    onSaved: () => {
      guard.release();
      onClose();
    },
    onUnreadConflict: setRefusal,
  });
  const submit = () => {
    setRefusal(null);
    if (draft.isDirty) save.send(draft, draft.base.etag);
    else onClose();
  };
  const { theirs } = save;
  const failure = refusal ?? save.error;
  return (
    <Form failure={failure} explain={null} onSubmit={submit}>
      {guard.dialog}
      {obstacle !== null && refusal === obstacle && (
        <Note tone="danger" title="The draft cannot go live yet" isAlert>
          <p>Correct the marked fields, save, and publish again.</p>
        </Note>
      )}
      <EntryFields
        fields={fields}
        saved={draft.base.entry.data}
        texts={draft.texts}
        onTexts={draft.setTexts}
        slug={draft.slug}
        onSlug={draft.setSlug}
        slugHint="The entry's name in addresses. The live one keeps its slug until you publish."
        isSlugRequired
        faults={draft.faults}
        isSlugTaken={isSlugConflict(save.error)}
      />
      {failure !== obstacle && (refusal !== null || failure?.status !== 412) && (
        <FormNote explain={explainEntry({ type: entry.type, locale: entry.locale, slug: draft.slug })} />
      )}
      {theirs !== null && (
        <VersionConflict
          differences={differences(fields, draft, theirs.entry)}
          onSaveYours={() => save.send(draft, theirs.etag)}
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

/** The values in the form, and how they differ from `base`, the entry that they started from. */
function useDraft(fields: readonly TypeField[], read: ReadEntry) {
  const [base, setBase] = useState(read);
  const [texts, setTexts] = useState<Texts>(() => textsOf(fields, read.entry.data));
  const [slug, setSlug] = useState(read.entry.slug);
  const { changes, faults } = changesOf(fields, base.entry.data, texts);
  const isRenamed = slug !== base.entry.slug;
  const isDirty = isRenamed || faults.length > 0 || Object.keys(changes).length > 0;
  const startFrom = (now: ReadEntry) => {
    setBase(now);
    setTexts(textsOf(fields, now.entry.data));
    setSlug(now.entry.slug);
  };
  return { base, texts, setTexts, slug, setSlug, changes, faults, isRenamed, isDirty, startFrom };
}

interface Changed {
  readonly slug: string;
  readonly isRenamed: boolean;
  readonly changes: Data;
}

interface SaveListeners {
  readonly onSaved: () => void;
  /** Called if somebody else has changed the entry and it cannot be read. */
  readonly onUnreadConflict: (failure: Failure) => void;
}

/** If the entry has another version by then, `theirs` is the entry as it is now. */
function useSave(id: string, { onSaved, onUnreadConflict }: SaveListeners) {
  const [theirs, setTheirs] = useState<ReadEntry | null>(null);
  const path = { id };
  const save = useChange("updateEntry", {
    stale: ["getEntry", "listEntries", "listRevisions"],
    done: ({ revision }) => `Revision ${revision} is saved. It is not live until it is published.`,
    onDone: onSaved,
  });
  const onError = async (failure: Failure) => {
    if (failure.status !== 412) return;
    const reply = await request("getEntry", { path }).catch(() => null);
    if (reply === null) onUnreadConflict(failure);
    else setTheirs({ entry: reply.data, etag: reply.etag ?? undefined });
  };
  const send = ({ slug, isRenamed, changes }: Changed, ifMatch: string | undefined) => {
    setTheirs(null);
    const body = { ...(isRenamed && { slug }), data: changes };
    save.mutate({ path, body, ifMatch }, { onError });
  };
  const reset = () => {
    setTheirs(null);
    save.reset();
  };
  return { theirs, send, reset, error: save.error, isPending: save.isPending };
}

function differences(
  fields: readonly TypeField[],
  { slug, isRenamed, changes }: Changed,
  now: Entry,
): Difference[] {
  const changed = fields.filter(
    ({ key }) => Object.hasOwn(changes, key) && !isSameValue(changes[key] ?? undefined, now.data[key]),
  );
  return [
    ...changed.map((field) => ({
      field: wordsOf(field.key),
      yours: <Value field={field} value={changes[field.key]} />,
      now: <Value field={field} value={now.data[field.key]} />,
    })),
    ...(isRenamed && slug !== now.slug ? [{ field: "Slug", yours: slug, now: now.slug }] : []),
  ];
}
