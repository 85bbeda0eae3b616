// Chooses a currency.
import { currencies } from "../../format/codes.ts";
import { Field } from "../../ui/field.tsx";

interface CurrencyFieldProps {
  readonly label: string;
  readonly error?: string | undefined;
  readonly currency: string;
  readonly onChange: (currency: string) => void;
}

export function CurrencyField({ label, error, currency, onChange }: CurrencyFieldProps) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={currency}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          {currencies().map(({ code, name }) => (
            <option key={code} value={code}>
              {code} · {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
