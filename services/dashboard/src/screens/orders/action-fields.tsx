// The fields of each action.
import type { DataOf } from "@tradepost/client/operations";
import type { OrderAction } from "../../format/order-words.ts";
import { Amount } from "../../ui/amount.tsx";
import { ChoiceField, Field, TextField } from "../../ui/field.tsx";
import { AmountField } from "./money-fields.tsx";
import { leftToRefund } from "./total.ts";

interface ActionFieldsProps {
  readonly action: OrderAction;
  readonly order: DataOf<"getOrder">;
  readonly errors: Readonly<Partial<Record<string, string>>>;
}

const OUTCOMES = [
  { value: "succeeded", text: "It succeeded", hint: "The order is paid.", isChosen: true },
  { value: "failed", text: "It failed", hint: "The order stays unpaid, and can be paid later." },
];
const TEXT_CHARACTERS_MAX = 255;
const REASON_CHARACTERS_MAX = 1_000;

export function ActionFields({ action, order, errors }: ActionFieldsProps) {
  const { currency, amountDue } = order;
  switch (action) {
    case "payments":
      return (
        <>
          <ChoiceField label="Outcome" error={errors.status} type="radio" name="status" options={OUTCOMES} />
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
    case "cancel_and_refund":
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
