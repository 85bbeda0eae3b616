import { Link } from "@tanstack/react-router";
import type { ErrorDetail } from "@tradepost/client/operations";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { wordsOf } from "../../format/words.ts";
import { Button } from "../../ui/button.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { ErrorNote, Note } from "../../ui/note.tsx";
import { type Data, isId, isJson, type Texts, type TypeField } from "./field-values.ts";
import { MarkdownEditor } from "./markdown-editor.tsx";
import { EntryPicker, MediaPicker } from "./pickers.tsx";
import { MediaFile, useEntryTitle, useMediaFile } from "./value.tsx";

interface EntryFieldsProps {
  readonly fields: readonly TypeField[];
  readonly saved: Data;
  readonly texts: Texts;
  readonly onTexts: (texts: Texts) => void;
  readonly slug: string;
  readonly onSlug: (slug: string) => void;
  readonly slugHint: string;
  readonly isSlugRequired: boolean;
  readonly details: readonly ErrorDetail[];
  readonly isSlugTaken: boolean;
}

export function EntryFields(props: EntryFieldsProps) {
  const { fields, saved, texts, onTexts, slug, onSlug, slugHint, isSlugRequired, details, isSlugTaken } =
    props;
  const { byField } = fieldErrors(details, ["slug", ...fields.map(({ key }) => `data.${key}`)]);
  return (
    <>
      {fields.map((field) => (
        <ValueInput
          key={field.key}
          field={field}
          saved={saved[field.key]}
          text={texts[field.key] ?? ""}
          error={byField[`data.${field.key}`]}
          onChange={(text) => onTexts({ ...texts, [field.key]: text })}
        />
      ))}
      <TextField
        label="Slug"
        hint={slugHint}
        error={
          isSlugTaken
            ? "Another entry of this type and locale has this slug. Choose another one."
            : byField.slug
        }
        name="slug"
        required={isSlugRequired}
        maxLength={200}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        title="Lower-case letters, digits and single hyphens"
        spellCheck={false}
        value={slug}
        onChange={({ currentTarget }) => onSlug(currentTarget.value)}
      />
    </>
  );
}

interface RefusalProps {
  readonly failure: Failure;
  readonly fields: readonly TypeField[];
  /** The names of the form's other fields, which show their faults themselves. */
  readonly names: readonly string[];
  readonly entry: { readonly type: string; readonly locale: string; readonly slug: string };
}

export function Refusal({ failure, fields, names, entry }: RefusalProps) {
  if (isSlugConflict(failure))
    return (
      <Note tone="danger" title="The slug is taken" isAlert>
        <p>
          Choose another one, or{" "}
          <Link to="/entries" search={entry} target="_blank">
            see the entry that has it
          </Link>
          .
        </p>
      </Note>
    );
  const { rest } = fieldErrors(failure.details, [...names, ...fields.map(({ key }) => `data.${key}`)]);
  return <ErrorNote failure={failure} details={rest} />;
}

export function isSlugConflict(failure: Failure | null): boolean {
  return failure?.status === 409 && failure.message.includes("slug");
}

interface ValueInputProps {
  readonly field: TypeField;
  readonly saved: unknown;
  readonly text: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

const LINES = 8;

const HINTS: Readonly<Partial<Record<TypeField["type"], string>>> = {
  datetime: "In your time zone.",
  json: "Checked before it is saved.",
};

function ValueInput({ field, saved, text, error, onChange }: ValueInputProps) {
  const { key, type, required } = field;
  const hint = [required && "Needed to go live.", HINTS[type]].filter(Boolean).join(" ");
  const change = ({ currentTarget: { value } }: { currentTarget: { value: string } }) => onChange(value);
  return (
    <Field
      label={<span title={key}>{wordsOf(key)}</span>}
      error={error}
      hint={hint === "" ? undefined : hint}
    >
      {(control) => {
        const common = { ...control, name: `data.${key}`, value: text, onChange: change };
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
  /** An id, or empty; or something else that somebody typed. */
  readonly text: string;
  readonly onChange: (id: string) => void;
}

function MediaInput(props: ReferenceInputProps) {
  if (!isId(props.text)) return <IdInput {...props} picker={MediaPicker} />;
  return <ChosenMedia {...props} />;
}

function ChosenMedia(props: ReferenceInputProps) {
  const file = useMediaFile(props.text);
  return (
    <>
      <Chosen {...props} picker={MediaPicker} shown={file?.filename} />
      <MediaFile id={props.text} />
    </>
  );
}

function EntryInput(props: ReferenceInputProps) {
  if (!isId(props.text)) return <IdInput {...props} picker={EntryPicker} />;
  return <ChosenEntry {...props} />;
}

function ChosenEntry(props: ReferenceInputProps) {
  const title = useEntryTitle(props.text);
  return <Chosen {...props} picker={EntryPicker} shown={title ?? undefined} />;
}

interface WithPicker extends ReferenceInputProps {
  readonly picker: typeof MediaPicker;
}

function IdInput({ control, text, onChange, ...rest }: WithPicker) {
  return (
    <div className="with-button">
      <input
        {...control}
        className="input"
        placeholder="None. Choose one, or paste its id"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Choose {...rest} onChange={onChange} />
    </div>
  );
}

/** Shows the chosen file or entry by name in place of its id, until the choice is changed or removed. */
function Chosen({
  control,
  text,
  shown,
  onChange,
  ...rest
}: WithPicker & { readonly shown: string | undefined }) {
  return (
    <div className="with-button">
      <input {...control} className="input" readOnly value={shown ?? text} title={text} />
      <div className="row">
        <Choose {...rest} onChange={onChange} />
        <Button onClick={() => onChange("")} about={rest.name}>
          Remove
        </Button>
      </div>
    </div>
  );
}

function Choose({ name, picker: Picker, onChange }: Pick<WithPicker, "name" | "picker" | "onChange">) {
  const [isOpen, setOpen] = useState(false);
  const choose = (id: string) => {
    setOpen(false);
    onChange(id);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)} about={name}>
        Choose
      </Button>
      {isOpen && <Picker onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  );
}
