// The form of a new or changed content type. It saves against the version that was read when it was opened.
import { Link } from "@tanstack/react-router";
import type { QueryOf } from "@tradepost/client/operations";
import { useState } from "react";
import { Failure } from "../../api/failure.ts";
import { type ListPage, useVersionedChange } from "../../data/operations.ts";
import { request } from "../../session/request.ts";
import { Button } from "../../ui/button.tsx";
import { useLeaveGuard } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { errorNote, Form, FormNote } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { type Difference, VersionConflict } from "../../ui/version-conflict.tsx";
import { FieldRows } from "./field-rows.tsx";
import {
  bodyOf,
  type ContentType,
  draftOf,
  entryIn,
  fieldsText,
  isSame,
  named,
  type TypeDraft,
} from "./type-draft.ts";

interface TypeFormProps {
  readonly from: TypeDraft;
  /** Undefined for a new type. */
  readonly etag: string | undefined;
  readonly onSaved: (type: ContentType) => void;
  readonly onCancel: () => void;
}

export function TypeForm({ from, etag, onSaved, onCancel }: TypeFormProps) {
  const [base, setBase] = useState({ draft: from, etag });
  const [draft, setDraft] = useState(from);
  const [isTaken, setTaken] = useState(false);
  const guard = useLeaveGuard(!isSame(draft, base.draft));
  const isNew = etag === undefined;
  const save = useVersionedChange("putContentType", "getContentType", {
    stale: ["listContentTypes", "getContentType"],
    done: ({ name }) => `“${name}” is saved.`,
    onDone: (type) => {
      guard.release();
      onSaved(type);
    },
  });
  const put = (ifMatch: string | undefined) =>
    save.send({ path: { slug: draft.slug }, body: bodyOf(draft), ifMatch });
  const theirs = save.theirs && { draft: draftOf(save.theirs.data), etag: save.theirs.etag ?? undefined };
  const submit = async () => {
    // A PUT without a version would change the type that has the slug.
    const isUsed = isNew && (await hasType(draft.slug));
    setTaken(isUsed);
    if (!isUsed) put(base.etag);
  };
  return (
    <Form failure={save.error} explain={null} onSubmit={submit}>
      {guard.dialog}
      <NameAndSlug draft={draft} isNew={isNew} isTaken={isTaken} onChange={setDraft} />
      <FieldRows fields={draft.fields} onChange={(fields) => setDraft({ ...draft, fields })} />
      <FormNote explain={explain} />
      {theirs && (
        <VersionConflict
          differences={differences(draft, theirs.draft)}
          onSaveYours={() => {
            setBase(theirs);
            put(theirs.etag);
          }}
          onTakeTheirs={() => {
            setBase(theirs);
            setDraft(theirs.draft);
            save.reset();
          }}
        />
      )}
      <div className="row">
        <Button text={isNew ? "Create type" : "Save"} type="submit" look="primary" isBusy={save.isPending} />
        <Button text="Cancel" onClick={onCancel} />
      </div>
    </Form>
  );
}

interface NameAndSlugProps {
  readonly draft: TypeDraft;
  readonly isNew: boolean;
  readonly isTaken: boolean;
  readonly onChange: (draft: TypeDraft) => void;
}

function NameAndSlug({ draft, isNew, isTaken, onChange }: NameAndSlugProps) {
  return (
    <div className="fields">
      <TextField
        label="Name"
        name="name"
        required
        maxLength={200}
        value={draft.name}
        onChange={({ currentTarget: { value: name } }) =>
          onChange(isNew ? named(draft, name) : { ...draft, name })
        }
      />
      <TextField
        label="Slug"
        name="slug"
        hint={
          isNew
            ? "Programs find the type by it. Lower-case letters, digits and hyphens."
            : "It stays for good."
        }
        error={isTaken ? "Another type has this slug. Choose another one, or change that type." : undefined}
        required
        maxLength={64}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        title="Lower-case letters, digits and single hyphens"
        spellCheck={false}
        readOnly={!isNew}
        value={draft.slug}
        onChange={({ currentTarget: { value: slug } }) => onChange({ ...draft, slug })}
      />
    </div>
  );
}

/** Looks in the list, because to ask for a type that does not exist would be an error in the log of the browser. */
async function hasType(slug: string): Promise<boolean> {
  let cursor: string | null = null;
  try {
    do {
      const query: QueryOf<"listContentTypes"> = { limit: 100, ...(cursor !== null && { cursor }) };
      const page: ListPage<"listContentTypes"> = await request("listContentTypes", { query });
      if (page.data.some((type) => type.slug === slug)) return true;
      cursor = page.nextCursor;
    } while (cursor !== null);
  } catch (error) {
    // The PUT fails too, and says why.
    if (!(error instanceof Failure)) throw error;
  }
  return false;
}

function differences(yours: TypeDraft, now: TypeDraft): Difference[] {
  return [
    ...(yours.name === now.name ? [] : [{ field: "Name", yours: yours.name, now: now.name }]),
    { field: "Fields", yours: fieldsText(yours.fields), now: fieldsText(now.fields) },
  ];
}

function explain(failure: Failure, details: Failure["details"]) {
  if (failure.code !== "content_type_in_use") return errorNote(failure, details);
  const entryId = entryIn(failure.message);
  return (
    <Note tone="danger" title="An entry would break" isAlert>
      <p>
        {entryId === undefined ? (
          failure.message
        ) : (
          <>
            With these fields an entry is no longer valid:{" "}
            <Link to="/entries/$entryId" params={{ entryId }} target="_blank">
              open the entry
            </Link>{" "}
            (<code>{entryId}</code>). There may be more.
          </>
        )}
      </p>
      <p>
        Fill or empty the field in that entry, publish it if it is live, and save here again. Or keep the
        field as it was, or make it optional.
      </p>
    </Note>
  );
}
