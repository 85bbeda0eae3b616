import type { ErrorDetail } from "@tradepost/client/operations";
import { useState } from "react";
import { type Failure, sentence } from "../../api/failure.ts";
import { wordsOf } from "../../format/words.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { DialogButton } from "../../ui/change-dialogs.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { errorNote } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { changesOf, isJson, type Texts, type TypeField, textsOf, valueIn } from "./field-values.ts";
import { MarkdownEditor } from "./markdown-editor.tsx";
import { EntryPicker, MediaPicker } from "./pickers.tsx";
import type { Entry } from "./status.ts";
import { MediaFile, useEntryTitle, useMediaFile } from "./value.tsx";

interface Base {
  readonly entry: Pick<Entry, "slug" | "data">;
  readonly etag: string | undefined;
}

/** The values in the form, and how they differ from `base`, the entry that they started from. */
export function useDraft(fields: readonly TypeField[], from: Base) {
  const [base, setBase] = useState(from);
  const [texts, setTexts] = useState<Texts>(() => textsOf(fields, from.entry.data));
  const [slug, setSlug] = useState(from.entry.slug);
  const { changes, faults } = changesOf(fields, base.entry.data, texts);
  const isRenamed = slug !== base.entry.slug;
  const isDirty = isRenamed || faults.length > 0 || Object.keys(changes).length > 0;
  const startFrom = (now: Base) => {
    setBase(now);
    setTexts(textsOf(fields, now.entry.data));
    setSlug(now.entry.slug);
  };
  return { base, texts, setTexts, slug, setSlug, changes, faults, isRenamed, isDirty, startFrom };
}

interface EntryFieldsProps {
  readonly fields: readonly TypeField[];
  readonly draft: ReturnType<typeof useDraft>;
  readonly slugHint: string;
  readonly isSlugRequired: boolean;
  readonly isSlugTaken: boolean;
}

export function EntryFields({ fields, draft, slugHint, isSlugRequired, isSlugTaken }: EntryFieldsProps) {
  const { base, texts, setTexts, slug, setSlug, faults } = draft;
  return (
    <>
      {fields.map((field) => (
        <ValueInput
          key={field.key}
          field={field}
          saved={valueIn(base.entry.data, field.key)}
          text={texts[field.key] ?? ""}
          fault={faults.find(({ path }) => path === `data.${field.key}`)?.message}
          onChange={(text) => setTexts({ ...texts, [field.key]: text })}
        />
      ))}
      <TextField
        label="Slug"
        hint={slugHint}
        error={
          isSlugTaken ? "Another entry of this type and locale has this slug. Choose another one." : undefined
        }
        name="slug"
        required={isSlugRequired}
        maxLength={200}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        title="Lower-case letters, digits and single hyphens"
        spellCheck={false}
        value={slug}
        onChange={({ currentTarget }) => setSlug(currentTarget.value)}
      />
    </>
  );
}

export function explainEntry(entry: {
  readonly type: string;
  readonly locale: string;
  readonly slug: string;
}) {
  return (failure: Failure, details: readonly ErrorDetail[]) =>
    isSlugConflict(failure) ? (
      <Note tone="danger" title="The slug is taken" isAlert>
        <p>
          Choose another one, or{" "}
          <TextLink to="/entries" search={entry} target="_blank" text="see the entry that has it" />.
        </p>
      </Note>
    ) : (
      errorNote(failure, details)
    );
}

export function isSlugConflict(failure: Failure | null): boolean {
  return failure?.status === 409 && failure.message.includes("slug");
}

interface ValueInputProps {
  readonly field: TypeField;
  readonly saved: unknown;
  readonly text: string;
  readonly fault: string | undefined;
  readonly onChange: (text: string) => void;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const LINES = 8;

const HINTS: Readonly<Partial<Record<TypeField["type"], string>>> = {
  datetime: "In your time zone.",
  json: "Checked before it is saved.",
};

function ValueInput({ field, saved, text, fault, onChange }: ValueInputProps) {
  const { key, type, required } = field;
  const hint = [required && "Needed to go live.", HINTS[type]].filter(Boolean).join(" ");
  const change = ({ currentTarget: { value } }: { currentTarget: { value: string } }) => onChange(value);
  const ref = (one: Control | null) => one?.setCustomValidity(fault === undefined ? "" : sentence(fault));
  return (
    <Field
      label={<span title={key}>{wordsOf(key)}</span>}
      path={`data.${key}`}
      hint={hint === "" ? undefined : hint}
    >
      {(control) => {
        const common = { ...control, ref, name: `data.${key}`, value: text, onChange: change };
        if (isJson(field, saved))
          return <textarea {...common} className="input input-json" rows={LINES} spellCheck={false} />;
        if (type === "richtext")
          return (
            <MarkdownEditor text={text}>
              <textarea {...common} className="input" rows={LINES} dir="auto" />
            </MarkdownEditor>
          );
        if (type === "boolean")
          return (
            <select {...common} className="input">
              <option value="">Not set</option>
              <option value="true">Yes</option>
              <option value="false">No</option>
            </select>
          );
        if (type === "datetime") return <input {...common} className="input" type="datetime-local" />;
        if (type === "number")
          return <input {...common} className="input number" inputMode="decimal" autoComplete="off" />;
        if (type === "text") return <input {...common} className="input" dir="auto" autoComplete="off" />;
        const Input = type === "media" ? MediaInput : EntryInput;
        return (
          <Input
            control={{ ...control, name: `data.${key}` }}
            name={wordsOf(key)}
            text={text}
            onChange={onChange}
          />
        );
      }}
    </Field>
  );
}

interface ReferenceInputProps {
  readonly control: { readonly id: string; readonly name: string };
  readonly name: string;
  /** An id, or empty. */
  readonly text: string;
  readonly onChange: (id: string) => void;
}

function MediaInput(props: ReferenceInputProps) {
  const file = useMediaFile(props.text);
  return (
    <>
      <Chosen {...props} picker={MediaPicker} shown={file?.filename} />
      {props.text !== "" && <MediaFile id={props.text} />}
    </>
  );
}

function EntryInput(props: ReferenceInputProps) {
  const title = useEntryTitle(props.text);
  return <Chosen {...props} picker={EntryPicker} shown={title ?? undefined} />;
}

interface ChosenProps extends ReferenceInputProps {
  readonly picker: typeof MediaPicker;
  readonly shown: string | undefined;
}

function Chosen({ control, name, text, shown, picker: Picker, onChange }: ChosenProps) {
  return (
    <div className="with-button">
      <input {...control} className="input" readOnly value={shown ?? text} title={text} placeholder="None" />
      <div className="row">
        <DialogButton text="Choose" about={name}>
          <Picker onChoose={onChange} />
        </DialogButton>
        {text !== "" && <Button text="Remove" onClick={() => onChange("")} about={name} />}
      </div>
    </div>
  );
}
