// The form of a draft. It saves against the version that was read when it was opened. If somebody else has saved meanwhile, both
// versions are shown, and nothing is overwritten without a question.

import { useState } from "react";
import { type Failure, refusalOf } from "../../api/failure.ts";
import { useChange } from "../../data/use-change.ts";
import { wordsOf } from "../../format/words.ts";
import { request } from "../../session/request.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { useLeaveGuard } from "../../ui/leave-guard.tsx";
import { Note } from "../../ui/note.tsx";
import { say } from "../../ui/toasts.tsx";
import { type Difference, VersionConflict } from "../../ui/version-conflict.tsx";
import { EntryFields, isSlugConflict, Refusal } from "./entry-fields.tsx";
import { changesOf, type Data, isSameValue, type Texts, type TypeField, textsOf } from "./field-values.ts";
import type { Entry } from "./status.ts";
import { Value } from "./value.tsx";

interface EditFormProps {
  readonly entry: Entry;
  readonly etag: string | undefined;
  readonly fields: readonly TypeField[];
  /** The reason why the draft could not be published. */
  readonly obstacle: Failure | null;
  readonly onClose: () => void;
}

interface Base {
  readonly entry: Entry;
  readonly etag: string | undefined;
}

export function EditForm({ entry, etag, fields, obstacle, onClose }: EditFormProps) {
  const [base, setBase] = useState<Base>({ entry, etag });
  const [theirs, setTheirs] = useState<Base | null>(null);
  const [texts, setTexts] = useState<Texts>(() => textsOf(fields, entry.data));
  const [slug, setSlug] = useState(entry.slug);
  const [refusal, setRefusal] = useState(obstacle);
  const { changes, faults } = changesOf(fields, base.entry.data, texts);
  const isRenamed = slug !== base.entry.slug;
  const isDirty = isRenamed || faults.length > 0 || Object.keys(changes).length > 0;
  const guard = useLeaveGuard(isDirty);
  const path = { id: entry.id };
  const save = useChange("updateEntry", {
    stale: ["getEntry", "listEntries", "listRevisions"],
    onDone: ({ revision }) => {
      guard.release();
      say(`Revision ${revision} is saved. It is not live until it is published.`);
      onClose();
    },
  });
  const send = (ifMatch: string | undefined) =>
    save.mutate(
      {
        path,
        body: { ...(isRenamed && { slug }), data: changes },
        ...(ifMatch !== undefined && { ifMatch }),
      },
      {
        onError: async (failure) => {
          if (failure.status !== 412) return;
          const reply = await request("getEntry", { path }).catch(() => null);
          if (reply === null) setRefusal(failure);
          else setTheirs({ entry: reply.data, etag: reply.etag ?? undefined });
        },
      },
    );
  const submit = () => {
    setTheirs(null);
    setRefusal(faults.length > 0 ? refusalOf(faults) : null);
    save.reset();
    if (faults.length > 0) return;
    if (isDirty) send(base.etag);
    else onClose();
  };
  const takeTheirs = (now: Base) => {
    setBase(now);
    setTexts(textsOf(fields, now.entry.data));
    setSlug(now.entry.slug);
    setTheirs(null);
    save.reset();
  };
  const failure = refusal ?? save.error;
  return (
    <Form failure={failure} onSubmit={submit}>
      {guard.dialog}
      {obstacle !== null && refusal === obstacle && (
        <Note tone="danger" title="The draft cannot go live yet" isAlert>
          <p>Correct the marked fields, save, and publish again.</p>
        </Note>
      )}
      <EntryFields
        fields={fields}
        saved={base.entry.data}
        texts={texts}
        onTexts={setTexts}
        slug={slug}
        onSlug={setSlug}
        slugHint="The entry's name in addresses. The live one keeps its slug until you publish."
        isSlugRequired
        details={failure?.details ?? []}
        isSlugTaken={isSlugConflict(save.error)}
      />
      {failure !== null && failure !== obstacle && (refusal !== null || failure.status !== 412) && (
        <Refusal failure={failure} fields={fields} names={["slug"]} entry={{ ...pick(entry), slug }} />
      )}
      {theirs !== null && (
        <VersionConflict
          differences={differences(fields, { slug, changes, isRenamed }, theirs.entry)}
          onSaveYours={() => {
            setTheirs(null);
            send(theirs.etag);
          }}
          onTakeTheirs={() => takeTheirs(theirs)}
        />
      )}
      <div className="row">
        <Button type="submit" look="primary" isBusy={save.isPending}>
          Save draft
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Form>
  );
}

function pick({ type, locale }: Entry) {
  return { type, locale };
}

interface Mine {
  readonly slug: string;
  readonly isRenamed: boolean;
  readonly changes: Data;
}

/** Returns the values that saving `mine` would overwrite. */
function differences(
  fields: readonly TypeField[],
  { slug, isRenamed, changes }: Mine,
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
