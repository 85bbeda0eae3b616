// The fields of a new order, except its lines.
import { CHANNELS } from "../../format/order-words.ts";
import { Field } from "../../ui/field.tsx";
import { AmountInput } from "./amount-field.tsx";
import { CurrencyField } from "./currency-field.tsx";
import type { Draft } from "./draft.ts";

interface DraftFieldsProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly errors: Readonly<Partial<Record<string, string>>>;
}

type TextName = Exclude<keyof Draft, "lines" | "channel" | "currency">;

const NOTE_CHARACTERS_MAX = 5_000;

interface DraftAmountsProps extends DraftFieldsProps {
  /** The chosen currency, or the shop's usual one. */
  readonly currency: string;
}

export function DraftAmounts({ currency, ...props }: DraftAmountsProps) {
  const { draft, onChange, errors } = props;
  const text = textIn(props);
  return (
    <div className="fields">
      <CurrencyField
        label="Currency"
        error={errors.currency}
        currency={currency}
        onChange={(chosen) => onChange({ ...draft, currency: chosen })}
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

export function DraftNotes(props: DraftFieldsProps) {
  const text = textIn(props);
  return (
    <div className="fields">
      <NoteInput
        label="Customer’s note"
        hint="Programs that read the shop’s orders see it too."
        {...text("customerNote")}
      />
      <NoteInput
        label="Internal note"
        hint="Only staff and your own programs see it."
        {...text("internalNote")}
      />
    </div>
  );
}

export function DraftOrigin(props: DraftFieldsProps) {
  const { draft, onChange, errors } = props;
  const text = textIn(props);
  return (
    <div className="fields">
      <Field label="Channel" error={errors.channel}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={draft.channel}
            onChange={({ currentTarget }) =>
              onChange({ ...draft, channel: currentTarget.value as Draft["channel"] })
            }
          >
            {Object.entries(CHANNELS).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextInput
        label="External id"
        hint="The id that the order has in the channel."
        {...text("externalId")}
        charactersMax={255}
      />
      <TextInput
        label="Order number"
        hint="If it is empty, the next free number."
        {...text("orderNumber")}
        charactersMax={64}
      />
    </div>
  );
}

function textIn({ draft, onChange, errors }: DraftFieldsProps) {
  return (name: TextName) => ({
    name,
    value: draft[name],
    error: errors[name],
    onChange: (value: string) => onChange({ ...draft, [name]: value }),
  });
}

interface InputProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

interface TextInputProps extends InputProps {
  readonly charactersMax?: number;
  readonly pattern?: string;
  readonly title?: string;
}

export function TextInput(props: TextInputProps) {
  const { label, name, value, error, onChange, hint, isRequired, charactersMax, pattern, title } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          className="input"
          name={name}
          value={value}
          required={isRequired}
          maxLength={charactersMax}
          pattern={pattern}
          title={title}
          autoComplete="off"
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

function NoteInput({ label, name, value, error, onChange, hint }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          {...control}
          className="input"
          name={name}
          value={value}
          maxLength={NOTE_CHARACTERS_MAX}
          dir="auto"
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}
