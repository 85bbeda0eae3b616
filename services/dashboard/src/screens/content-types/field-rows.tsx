import { useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { FieldGroup, SelectField, TextField } from "../../ui/field.tsx";
import { useFocusAdded } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { type DraftField, FIELD_TYPES, type FieldType, moved } from "./type-draft.ts";
import "./field-rows.css";

interface FieldRowsProps {
  readonly fields: readonly DraftField[];
  readonly onChange: (fields: readonly DraftField[]) => void;
}

export function FieldRows({ fields, onChange }: FieldRowsProps) {
  const next = useRef(fields.length + 1);
  const group = useRef<HTMLOListElement>(null);
  useFocusAdded(group, fields.length);
  const add = () => {
    const id = `new-${next.current++}`;
    onChange([...fields, { id, key: "", type: "text", required: false }]);
  };
  const remove = (id: string) => {
    onChange(fields.filter((one) => one.id !== id));
    // The button that had the focus was removed.
    group.current?.parentElement?.querySelector<HTMLElement>("[data-add]")?.focus();
  };
  return (
    <FieldGroup label="Fields" path="fields">
      <ol ref={group} className="field-rows">
        {fields.map((field, index) => (
          <Row
            key={field.id}
            field={field}
            index={index}
            last={fields.length - 1}
            onChange={(changed) => onChange(fields.map((one) => (one.id === field.id ? changed : one)))}
            onMove={(by) => onChange(moved(fields, index, by))}
            onRemove={() => remove(field.id)}
          />
        ))}
      </ol>
      <div>
        <Button onClick={add} data-add disabled={fields.length >= 100}>
          <Icon name="plus" /> Add a field
        </Button>
      </div>
    </FieldGroup>
  );
}

interface RowProps {
  readonly field: DraftField;
  readonly index: number;
  readonly last: number;
  readonly onChange: (field: DraftField) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

function Row({ field, index, last, onChange, onMove, onRemove }: RowProps) {
  const name = field.key || `field ${index + 1}`;
  return (
    <li className="card">
      <TextField
        label={`Key of field ${index + 1}`}
        path={`fields[${index}]`}
        required
        maxLength={64}
        pattern="[a-zA-Z][a-zA-Z0-9_]*"
        title="Letters, digits and underscores, beginning with a letter"
        spellCheck={false}
        value={field.key}
        onChange={({ currentTarget }) => onChange({ ...field, key: currentTarget.value })}
      />
      <SelectField
        label={`Type of field ${index + 1}`}
        options={FIELD_TYPES}
        value={field.type}
        onChange={({ currentTarget }) => onChange({ ...field, type: currentTarget.value as FieldType })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={field.required}
          onChange={({ currentTarget }) => onChange({ ...field, required: currentTarget.checked })}
        />
        Required<span className="hidden"> to go live: {name}</span>
      </label>
      <div className="row">
        <Button text="Up" look="quiet" aria-disabled={index === 0} onClick={() => onMove(-1)} about={name} />
        <Button
          text="Down"
          look="quiet"
          aria-disabled={index === last}
          onClick={() => onMove(1)}
          about={name}
        />
        <Button text="Remove" look="quiet" onClick={onRemove} about={name} />
      </div>
    </li>
  );
}
