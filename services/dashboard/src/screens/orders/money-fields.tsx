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

interface TextInputProps extends Omit<ComponentProps<typeof TextField>, "onChange"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function TextInput({ onChange, ...field }: TextInputProps) {
  return <TextField {...field} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
}

/** Reports at once a text that is not an amount. */
export function AmountInput({ currency, ...field }: TextInputProps & { readonly currency: string }) {
  return (
    <TextInput
      {...attributesOf(currency)}
      {...field}
      error={mayBeAmount(field.value, currency) ? undefined : `${amountExample(currency)}.`}
    />
  );
}

interface AmountFieldProps {
  readonly currency: string;
  readonly max: number;
  /** The initial value. To replace it later, give the field another `key`. */
  readonly initial: number | undefined;
}

export function AmountField({ currency, max, initial }: AmountFieldProps) {
  const most = `At most ${money(max, currency)}.`;
  return (
    <TextField
      {...attributesOf(currency)}
      label={`Amount in ${currency}`}
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

function attributesOf(currency: string) {
  return {
    className: "input number",
    inputMode: "decimal",
    pattern: amountPattern(currency),
    title: amountExample(currency),
  } as const;
}
