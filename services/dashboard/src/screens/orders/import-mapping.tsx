// Says what each column of a CSV file is.
import { useState } from "react";
import { currencies } from "../../format/codes.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import type { Csv } from "./csv.ts";
import { faultsOf, type Mapping, TARGETS, type TargetName } from "./import-columns.ts";

interface ImportMappingProps {
  readonly csv: Csv;
  readonly initial: Mapping;
  /** The currency of orders without one. */
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
  const [chosen, setCurrency] = useState<string>();
  const currency = chosen ?? props.currency;
  const [isChecked, setChecked] = useState(false);
  const faults = faultsOf(mapping);
  const map = (index: number, target: TargetName | null) =>
    // A target belongs to one column only.
    setMapping(mapping.map((other, at) => (at === index ? target : other === target ? null : other)));
  const columns: Column<Row>[] = [
    {
      name: "Column",
      isHeading: true,
      cell: ({ name, index }) => <bdi>{name || `Column ${index + 1}`}</bdi>,
    },
    {
      name: "First values",
      cell: ({ index }) => (
        <div className="lines">
          {csv.rows.slice(0, EXAMPLES).map(({ line, cells }) => (
            <span key={line} className="soft">
              <bdi>{cells[index]}</bdi>
            </span>
          ))}
        </div>
      ),
    },
    {
      name: "Becomes",
      cell: ({ index, name }) => (
        <select
          className="input"
          aria-label={`${name || `Column ${index + 1}`} becomes`}
          value={mapping[index] ?? ""}
          onChange={({ currentTarget: { value } }) => map(index, value === "" ? null : (value as TargetName))}
        >
          <option value="">Not imported</option>
          {Object.entries(TARGETS).map(([target, { text }]) => (
            <option key={target} value={target}>
              {text}
            </option>
          ))}
        </select>
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
        intro="Rows with the same external id or order number become one order with several lines."
      >
        <Table
          caption="Columns of the file"
          columns={columns}
          rows={csv.columns.map((name, index) => ({ id: String(index), index, name }))}
        />
      </Section>
      {!mapping.includes("currency") && (
        <div className="fields">
          <Field label="Currency of all orders">
            {(control) => (
              <select
                {...control}
                className="input"
                value={currency}
                onChange={({ currentTarget }) => setCurrency(currentTarget.value)}
              >
                {currencies().map(({ code, name }) => (
                  <option key={code} value={code}>
                    {code} · {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
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
        <Button type="submit" look="primary">
          Check the orders
        </Button>
        <Button onClick={onOther}>Choose another file</Button>
      </div>
    </Form>
  );
}
