// Inputs for amounts. They take a point or a comma, and no more decimals than the currency has.
import type { ComponentProps } from "react";
import {
  amountExample,
  amountPattern,
  amountText,
  mayBeAmount,
  money,
  withPoint,
} from "../../format/money.ts";
import { Field } from "../../ui/field.tsx";

interface AmountInputProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly currency: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

/** Reports at once a text that is not an amount. */
export function AmountInput(props: AmountInputProps) {
  const { label, name, value, currency, error, onChange, hint, isRequired } = props;
  const fault = mayBeAmount(value, currency) ? undefined : `${amountExample(currency)}.`;
  return (
    <Field label={label} hint={hint} error={error ?? fault}>
      {(control) => (
        <input
          {...control}
          {...attributesOf(currency)}
          name={name}
          value={value}
          required={isRequired}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly currency: string;
  readonly max: number;
  /** The initial value. A new one, by another `key`. */
  readonly initial: number | undefined;
  readonly error: string | undefined;
}

export function AmountField({ label, currency, max, initial, error }: AmountFieldProps) {
  const most = `At most ${money(max, currency)}.`;
  return (
    <Field label={`${label} in ${currency}`} hint={most} error={error}>
      {(control) => (
        <input
          {...control}
          {...attributesOf(currency)}
          name="amount"
          required
          defaultValue={initial && amountText(initial, currency)}
          onInput={({ currentTarget: input }) =>
            input.setCustomValidity(Number(withPoint(input.value)) > max ? most : "")
          }
        />
      )}
    </Field>
  );
}

function attributesOf(currency: string): ComponentProps<"input"> {
  return {
    className: "input number",
    inputMode: "decimal",
    pattern: amountPattern(currency),
    title: amountExample(currency),
    autoComplete: "off",
  };
}
