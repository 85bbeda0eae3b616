import { useId, useRef } from "react";
import { useList } from "../../data/operations.ts";
import { mayBeAmount } from "../../format/money.ts";
import { CHANNELS } from "../../format/order-words.ts";
import { optionsOf } from "../../format/words.ts";
import { Button } from "../../ui/button.tsx";
import { AreaField, CurrencyField, SelectField, TextField } from "../../ui/field.tsx";
import { useFocusAdded } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Amount } from "../../ui/value.tsx";
import { changedLine, type Draft, type DraftLine, soldIn, withLine, withSold } from "./draft.ts";
import { AmountInput, TextInput } from "./money-fields.tsx";
import { lineTotal } from "./total.ts";
import "./draft-fields.css";

const NOTE_CHARACTERS_MAX = 5_000;

interface DraftAmountsProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** The chosen currency, or the shop's. */
  readonly currency: string;
}

export function DraftAmounts({ currency, draft, onChange }: DraftAmountsProps) {
  const text = (name: "shippingTotal" | "taxTotal" | "discountTotal") => ({
    name,
    value: draft[name],
    onChange: (value: string) => onChange({ ...draft, [name]: value }),
  });
  return (
    <div className="fields">
      <CurrencyField
        label="Currency"
        value={currency}
        onChange={({ currentTarget }) => onChange({ ...draft, currency: currentTarget.value })}
      />
      <AmountInput label="Shipping" currency={currency} {...text("shippingTotal")} />
      <AmountInput
        label="Tax of the order"
        hint="If it is empty, the sum of the lines’ tax."
        currency={currency}
        {...text("taxTotal")}
      />
      <AmountInput label="Discount" currency={currency} {...text("discountTotal")} />
    </div>
  );
}

export function DraftNotes() {
  return (
    <>
      <div className="fields">
        <AreaField
          label="Customer’s note"
          hint="Programs that read the shop’s orders see it too."
          name="customerNote"
          maxLength={NOTE_CHARACTERS_MAX}
          dir="auto"
        />
        <AreaField
          label="Internal note"
          hint="Only staff and your own programs see it."
          name="internalNote"
          maxLength={NOTE_CHARACTERS_MAX}
          dir="auto"
        />
      </div>
      <div className="fields">
        <SelectField label="Channel" name="channel" options={optionsOf(CHANNELS)} defaultValue="admin" />
        <TextField
          label="External id"
          hint="The id that the order has in the channel."
          name="externalId"
          maxLength={255}
        />
        <TextField
          label="Order number"
          hint="If it is empty, the next free number."
          name="orderNumber"
          maxLength={64}
        />
      </div>
    </>
  );
}

interface DraftLinesProps {
  readonly lines: Draft["lines"];
  readonly currency: string;
  readonly onChange: (lines: Draft["lines"]) => void;
}

const LINES_MAX = 500;

// The others are found by typing.
const SOLD_SHOWN = 6;
const RECENT = { limit: 100 };

export function DraftLines({ lines, currency, onChange }: DraftLinesProps) {
  const list = useRef<HTMLOListElement>(null);
  const listId = useId();
  const sold = soldIn(useList("listOrders", RECENT).items ?? []);
  useFocusAdded(list, lines.length);
  const change = (key: number, values: Partial<DraftLine>) =>
    onChange(lines.map((line) => (line.key === key ? changedLine(line, values, currency) : line)));
  return (
    <>
      <ol ref={list} className="draft-lines card">
        {lines.map((line, index) => (
          <li key={line.key}>
            <Line
              line={line}
              number={index + 1}
              currency={currency}
              suggestions={listId}
              onChange={(values) => change(line.key, values)}
              onNamed={() => {
                const known = line.sku === "" && sold.find(({ name }) => name === line.name);
                const others = lines.map((one) => (one === line ? { ...line, name: "" } : one));
                if (known) onChange(withSold(others, known, currency));
              }}
              onRemove={
                lines.length > 1 ? () => onChange(lines.filter(({ key }) => key !== line.key)) : undefined
              }
            />
          </li>
        ))}
      </ol>
      <div className="row">
        <Button disabled={lines.length >= LINES_MAX} onClick={() => onChange(withLine(lines))}>
          <Icon name="plus" /> Add an item
        </Button>
        {sold.length > 0 && <span className="soft">Sold lately:</span>}
        {sold.slice(0, SOLD_SHOWN).map((one) => (
          <Button
            key={one.sku}
            look="quiet"
            disabled={lines.length >= LINES_MAX}
            onClick={() => onChange(withSold(lines, one, currency))}
          >
            <bdi className="cut">{one.name}</bdi>
          </Button>
        ))}
      </div>
      <datalist id={listId}>
        {sold.map(({ sku, name }) => (
          <option key={sku} value={name}>
            {sku}
          </option>
        ))}
      </datalist>
    </>
  );
}

interface LineProps {
  readonly line: DraftLine;
  readonly number: number;
  readonly currency: string;
  readonly suggestions: string;
  readonly onChange: (values: Partial<DraftLine>) => void;
  /** Called when the name is typed to its end. */
  readonly onNamed: () => void;
  /** Undefined for the only line: an order has at least one. */
  readonly onRemove: (() => void) | undefined;
}

function Line({ line, number, currency, suggestions, onChange, onNamed, onRemove }: LineProps) {
  const text = (field: "sku" | "name" | "quantity" | "unitPrice" | "taxAmount") => ({
    name: field,
    value: line[field],
    path: `items[${number - 1}].${field}`,
    onChange: (value: string) => onChange({ [field]: value }),
  });
  return (
    <fieldset className="field draft-line">
      <legend className="hidden">Item {number}</legend>
      <TextInput
        {...text("name")}
        label="Name"
        list={suggestions}
        required
        maxLength={500}
        onBlur={onNamed}
      />
      <TextInput label="SKU" {...text("sku")} required maxLength={255} />
      <TextInput label="Quantity" {...text("quantity")} required pattern={"\\d{1,10}"} title="A number" />
      <AmountInput label="Unit price" currency={currency} {...text("unitPrice")} required />
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
          <Button text="Remove" look="quiet" onClick={onRemove} about={`item ${number}`} />
        )}
      </p>
    </fieldset>
  );
}
