// An input for an amount: digits, and decimals after a point.
import { Field } from "../../ui/field.tsx";

interface AmountFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly initial: string;
  readonly error: string | undefined;
}

export const AMOUNT_PATTERN = "\\d{1,11}(\\.\\d{1,4})?";

export function AmountField({ label, hint, initial, error }: AmountFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          className="input number"
          name="amount"
          required
          inputMode="decimal"
          pattern={AMOUNT_PATTERN}
          title="An amount like 19.99"
          defaultValue={initial}
          autoComplete="off"
        />
      )}
    </Field>
  );
}
