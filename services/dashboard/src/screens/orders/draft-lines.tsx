// The lines of a new order.
import { useRef } from "react";
import { mayBeAmount } from "../../format/amount.ts";
import { Amount } from "../../ui/amount.tsx";
import { Button } from "../../ui/button.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { useFocusAdded } from "../../ui/use-focus-added.ts";
import { AmountInput } from "./amount-field.tsx";
import { type Draft, type DraftLine, EMPTY_DRAFT, lineFieldName, withLine } from "./draft.ts";
import { TextInput } from "./draft-fields.tsx";
import { lineTotal } from "./total.ts";
import "./draft-lines.css";

interface DraftLinesProps {
  readonly lines: Draft["lines"];
  readonly currency: string;
  readonly errors: Readonly<Partial<Record<string, string>>>;
  readonly onChange: (lines: Draft["lines"]) => void;
}

const LINES_MAX = 500;

export function DraftLines({ lines, currency, errors, onChange }: DraftLinesProps) {
  const list = useRef<HTMLOListElement>(null);
  useFocusAdded(list, lines.length);
  const change = (key: number, values: Partial<DraftLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...values } : line)));
  return (
    <>
      <ol ref={list} className="draft-lines">
        {lines.map((line, index) => (
          <li key={line.key}>
            <Line
              line={line}
              number={index + 1}
              currency={currency}
              errorOf={(field) => errors[lineFieldName(index, field)]}
              onChange={(values) => change(line.key, values)}
              onRemove={
                lines.length > 1 ? () => onChange(lines.filter(({ key }) => key !== line.key)) : undefined
              }
            />
          </li>
        ))}
      </ol>
      <div>
        <Button
          disabled={lines.length >= LINES_MAX}
          onClick={() => onChange(withLine({ ...EMPTY_DRAFT, lines }).lines)}
        >
          <PlusIcon /> Add an item
        </Button>
      </div>
    </>
  );
}

interface LineProps {
  readonly line: DraftLine;
  readonly number: number;
  readonly currency: string;
  readonly errorOf: (field: "sku" | "name" | "quantity" | "unitPrice" | "taxAmount") => string | undefined;
  readonly onChange: (values: Partial<DraftLine>) => void;
  /** Undefined for the only line: an order has at least one. */
  readonly onRemove: (() => void) | undefined;
}

function Line({ line, number, currency, errorOf, onChange, onRemove }: LineProps) {
  const text = (field: "sku" | "name" | "quantity" | "unitPrice" | "taxAmount") => ({
    name: field,
    value: line[field],
    error: errorOf(field),
    onChange: (value: string) => onChange({ [field]: value }),
  });
  return (
    <fieldset className="field draft-line">
      <legend className="hidden">Item {number}</legend>
      <TextInput label="Name" {...text("name")} isRequired charactersMax={500} />
      <TextInput label="SKU" {...text("sku")} isRequired charactersMax={255} />
      <TextInput label="Quantity" {...text("quantity")} isRequired pattern={"\\d{1,10}"} title="A number" />
      <AmountInput label="Unit price" currency={currency} {...text("unitPrice")} isRequired />
      <AmountInput label="Tax of the line" currency={currency} {...text("taxAmount")} />
      <p className="draft-line-end">
        <output className="number">
          {mayBeAmount(line.unitPrice, currency) ? (
            <Amount amount={lineTotal(line)} currency={currency} />
          ) : (
            "–"
          )}
        </output>
        {onRemove !== undefined && (
          <Button look="quiet" onClick={onRemove}>
            Remove<span className="hidden"> item {number}</span>
          </Button>
        )}
      </p>
    </fieldset>
  );
}
