import { useState } from "react";
import type { Csv } from "../../format/csv.ts";
import { Button } from "../../ui/button.tsx";
import { CurrencyField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { Note } from "../../ui/note.tsx";
import { Section } from "../../ui/screen.tsx";
import { faultsOf, type Mapping, TARGETS, type TargetName } from "./import-columns.ts";

interface ImportMappingProps {
  readonly csv: Csv;
  readonly initial: Mapping;
  readonly currency: string;
  readonly onDone: (mapping: Mapping, currency: string) => void;
  readonly onOther: () => void;
}

interface Row {
  readonly id: string;
  readonly index: number;
  readonly name: string;
}

const EXAMPLES = 3;

export function ImportMapping({ csv, initial, onDone, onOther, ...props }: ImportMappingProps) {
  const [mapping, setMapping] = useState(initial);
  const [currency, setCurrency] = useState(props.currency);
  const [isChecked, setChecked] = useState(false);
  const faults = faultsOf(mapping);
  const columns: Column<Row>[] = [
    { name: "Column", cell: (row) => <bdi>{nameOf(row)}</bdi> },
    { name: "First values", cell: ({ index }) => <FirstValues csv={csv} index={index} /> },
    {
      name: "Becomes",
      cell: (row) => (
        <TargetSelect
          label={`${nameOf(row)} becomes`}
          target={mapping[row.index] ?? null}
          onChange={(target) => setMapping(withTarget(mapping, row.index, target))}
        />
      ),
    },
  ];
  return (
    <Form
      failure={null}
      isLong
      onSubmit={() => {
        setChecked(true);
        if (faults.length === 0) onDone(mapping, currency);
      }}
    >
      <Section
        title="Columns of the file"
        intro="Rows with the same external id or order number become one order with several lines. What an order has only once must not differ between them."
      >
        <Table
          caption="Columns of the file"
          columns={columns}
          rows={csv.columns.map((name, index) => ({ id: String(index), index, name }))}
        />
      </Section>
      {!mapping.includes("currency") && (
        <div className="fields">
          <CurrencyField
            label="Currency of all orders"
            value={currency}
            onChange={({ currentTarget }) => setCurrency(currentTarget.value)}
          />
        </div>
      )}
      {isChecked && faults.length > 0 && (
        <Note tone="danger" title="Something is missing" isAlert>
          {faults.map((fault) => (
            <p key={fault}>{fault}</p>
          ))}
        </Note>
      )}
      <div className="row">
        <Button text="Check the orders" type="submit" look="primary" />
        <Button text="Choose another file" onClick={onOther} />
      </div>
    </Form>
  );
}

function nameOf({ name, index }: Row): string {
  return name || `Column ${index + 1}`;
}

function FirstValues({ csv, index }: { readonly csv: Csv; readonly index: number }) {
  return (
    <div className="lines">
      {csv.rows.slice(0, EXAMPLES).map(({ line, cells }) => (
        <bdi key={line} className="soft">
          {cells[index]}
        </bdi>
      ))}
    </div>
  );
}

interface TargetSelectProps {
  readonly label: string;
  readonly target: TargetName | null;
  readonly onChange: (target: TargetName | null) => void;
}

function TargetSelect({ label, target, onChange }: TargetSelectProps) {
  return (
    <select
      className="input"
      aria-label={label}
      value={target ?? ""}
      onChange={({ currentTarget: { value } }) => onChange(value === "" ? null : (value as TargetName))}
    >
      <option value="">Not imported</option>
      {Object.entries(TARGETS).map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A target belongs to one column only, so another column loses it. */
function withTarget(mapping: Mapping, index: number, target: TargetName | null): Mapping {
  return mapping.map((other, at) => (at === index ? target : other === target ? null : other));
}
