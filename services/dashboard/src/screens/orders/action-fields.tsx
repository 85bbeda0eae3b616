// The fields of each action.
import type { DataOf } from "@tradepost/client/operations";
import type { OrderAction } from "../../format/order-words.ts";
import { Amount } from "../../ui/amount.tsx";
import { Field, FieldGroup, TextField } from "../../ui/field.tsx";
import { AmountField } from "./money-fields.tsx";
import { leftToRefund } from "./total.ts";

interface ActionFieldsProps {
  readonly action: OrderAction;
  readonly order: DataOf<"getOrder">;
  readonly errors: Readonly<Partial<Record<string, string>>>;
}

const TEXT_CHARACTERS_MAX = 255;
const REASON_CHARACTERS_MAX = 1_000;

export function ActionFields({ action, order, errors }: ActionFieldsProps) {
  const { currency, amountDue } = order;
  switch (action) {
    case "payments":
      return (
        <>
          <FieldGroup label="Outcome" error={errors.status}>
            <div className="choices">
              <label className="choice">
                <input type="radio" name="status" value="succeeded" defaultChecked />
                It succeeded
                <small>The order is paid.</small>
              </label>
              <label className="choice">
                <input type="radio" name="status" value="failed" />
                It failed
                <small>The order stays unpaid, and can be paid later.</small>
              </label>
            </div>
          </FieldGroup>
          <p>
            Amount:{" "}
            <strong>
              <Amount amount={amountDue} currency={currency} />
            </strong>
            , the whole amount due.
          </p>
          <Text
            name="reference"
            label="Reference"
            hint="The payment’s id at the payment provider."
            errors={errors}
          />
        </>
      );
    case "fulfill":
      return (
        <div className="fields">
          <Text name="carrier" label="Carrier" errors={errors} />
          <Text name="trackingNumber" label="Tracking number" errors={errors} />
        </div>
      );
    case "cancel":
      return <Reason error={errors.reason} />;
    case "refund":
      return (
        <>
          <AmountField label="Amount" currency={currency} max={leftToRefund(order)} error={errors.amount} />
          <Reason error={errors.reason} />
          <Text
            name="reference"
            label="Reference"
            hint="The refund’s id at the payment provider."
            errors={errors}
          />
        </>
      );
    case "deliver":
      return null;
  }
}

interface TextProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly errors: ActionFieldsProps["errors"];
}

export function Text({ name, label, hint, errors }: TextProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      error={errors[name]}
      name={name}
      maxLength={TEXT_CHARACTERS_MAX}
      spellCheck={false}
    />
  );
}

export function Reason({ error }: { readonly error: string | undefined }) {
  return (
    <Field
      label="Reason"
      hint="Shown in the timeline, and sent to programs that follow the orders."
      error={error}
    >
      {(control) => (
        <textarea {...control} className="input" name="reason" maxLength={REASON_CHARACTERS_MAX} />
      )}
    </Field>
  );
}
