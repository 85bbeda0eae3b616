// The control for one field of an entry.
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { EntryPicker } from "./entry-picker.tsx";
import { isJson, type TypeField } from "./field-values.ts";
import { MediaPicker } from "./media-picker.tsx";

interface ValueInputProps {
  readonly field: TypeField;
  /** The saved value. */
  readonly saved: unknown;
  readonly text: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

const LINES = 8;

const HINTS: Readonly<Partial<Record<TypeField["type"], string>>> = {
  datetime: "In your time zone.",
  media: "The id of a file, or choose one.",
  reference: "The id of an entry, or choose one.",
  json: "Checked before it is saved.",
};

export function ValueInput({ field, saved, text, error, onChange }: ValueInputProps) {
  const { key, type, required } = field;
  const hint = [required && "Needed to go live.", HINTS[type]].filter(Boolean).join(" ");
  const change = ({ currentTarget: { value } }: { currentTarget: { value: string } }) => onChange(value);
  return (
    <Field label={key} error={error} hint={hint === "" ? undefined : hint}>
      {(control) => {
        const common = { ...control, name: `data.${key}`, value: text, onChange: change };
        if (isJson(field, saved))
          return <textarea {...common} className="input input-json" rows={LINES} spellCheck={false} />;
        if (type === "richtext") return <textarea {...common} className="input" rows={LINES} dir="auto" />;
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
        const input = <input {...common} className="input" dir="auto" autoComplete="off" />;
        return type === "text" ? (
          input
        ) : (
          <div className="with-button">
            {input}
            <Choose name={key} type={type} onChoose={onChange} />
          </div>
        );
      }}
    </Field>
  );
}

interface ChooseProps {
  readonly name: string;
  readonly type: TypeField["type"];
  readonly onChoose: (id: string) => void;
}

function Choose({ name, type, onChoose }: ChooseProps) {
  const [isOpen, setOpen] = useState(false);
  const choose = (id: string) => {
    setOpen(false);
    onChoose(id);
  };
  const Picker = type === "media" ? MediaPicker : EntryPicker;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        Choose<span className="hidden"> {name}</span>
      </Button>
      {isOpen && <Picker onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  );
}
