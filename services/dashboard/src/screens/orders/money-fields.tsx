import type { ComponentProps } from "react";
import {
  amountExample,
  amountPattern,
  amountText,
  mayBeAmount,
  money,
  withPoint,
} from "../../format/money.ts";
import { TextField } from "../../ui/field.tsx";

interface AmountInputProps {
  readonly label: string;
  readonly name: string;
  readonly path?: string;
  readonly value: string;
  readonly currency: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

/** Reports at once a text that is not an amount. */
export function AmountInput(props: AmountInputProps) {
  const { currency, onChange, isRequired, ...field } = props;
  return (
    <TextField
      {...attributesOf(currency)}
      {...field}
      error={mayBeAmount(props.value, currency) ? undefined : `${amountExample(currency)}.`}
      required={isRequired}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly currency: string;
  readonly max: number;
  /** The initial value. A new one, by another `key`. */
  readonly initial: number | undefined;
}

export function AmountField({ label, currency, max, initial }: AmountFieldProps) {
  const most = `At most ${money(max, currency)}.`;
  return (
    <TextField
      {...attributesOf(currency)}
      label={`${label} in ${currency}`}
      hint={most}
      name="amount"
      required
      defaultValue={initial && amountText(initial, currency)}
      onInput={({ currentTarget: input }) =>
        input.setCustomValidity(Number(withPoint(input.value)) > max ? most : "")
      }
    />
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
