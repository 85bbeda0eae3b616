import { useState } from "react";
import { wordsOf } from "../../format/words.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { isId, isJson, type TypeField } from "./field-values.ts";
import { MarkdownEditor } from "./markdown-editor.tsx";
import { EntryPicker, MediaPicker } from "./pickers.tsx";
import { MediaFile, useEntryTitle, useMediaFile } from "./value.tsx";

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

export function ValueInput({ field, saved, text, error, onChange }: ValueInputProps) {
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
  /** The attributes that connect the input with its label and its notes. */
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
        <Button onClick={() => onChange("")}>
          Remove<span className="hidden"> {rest.name}</span>
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
      <Button onClick={() => setOpen(true)}>
        Choose<span className="hidden"> {name}</span>
      </Button>
      {isOpen && <Picker onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  );
}
