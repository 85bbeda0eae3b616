// The fields of each action.
import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import type { OrderAction } from "../../format/order-words.ts";
import { Amount } from "../../ui/amount.tsx";
import { Button } from "../../ui/button.tsx";
import { ChoiceField, Field, TextField } from "../../ui/field.tsx";
import { LineSteppers } from "./line-steppers.tsx";
import { AmountField } from "./money-fields.tsx";
import { leftToRefund, shareOf } from "./total.ts";

interface ActionFieldsProps {
  readonly action: OrderAction;
  readonly order: DataOf<"getOrder">;
  readonly errors: Readonly<Partial<Record<string, string>>>;
}

const OUTCOMES = [
  { value: "succeeded", text: "It succeeded", hint: "The order is paid, or a part of it.", isChosen: true },
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
          <AmountField
            label="Amount"
            currency={currency}
            max={amountDue}
            initial={amountDue}
            error={errors.amount}
          />
          <Text
            name="reference"
            label="Reference"
            hint="The payment’s id at the payment provider."
            errors={errors}
          />
        </>
      );
    case "fulfill":
      return <ShipFields order={order} errors={errors} />;
    case "cancel":
      return <Reason error={errors.reason} />;
    case "cancel_and_refund":
      return (
        <>
          <p>
            Refunded:{" "}
            <strong>
              <Amount amount={leftToRefund(order)} currency={currency} />
            </strong>
          </p>
          <Reason error={errors.reason} />
        </>
      );
    case "refund":
      return <RefundFields order={order} errors={errors} />;
    case "deliver":
      return null;
  }
}

type FieldsProps = Omit<ActionFieldsProps, "action">;
type Line = FieldsProps["order"]["items"][number];

const leftToShip = (line: Line) => line.quantity - (line.fulfilledQuantity ?? 0);
const leftToTakeBack = (line: Line) => line.quantity - (line.refundedQuantity ?? 0);

function unitsOf(lines: readonly Line[], leftOf: (line: Line) => number): ReadonlyMap<string, number> {
  return new Map(lines.map((line) => [line.id, leftOf(line)]));
}

/** Begins with all that is still to ship. */
function ShipFields({ order: { items }, errors }: FieldsProps) {
  const [units, setUnits] = useState(() => unitsOf(items, leftToShip));
  return (
    <>
      <LineSteppers
        caption="Items to ship"
        lines={items}
        leftOf={leftToShip}
        units={units}
        onChange={setUnits}
        isRequired
      />
      <div className="fields">
        <Text name="carrier" label="Carrier" errors={errors} />
        <Text name="trackingNumber" label="Tracking number" errors={errors} />
      </div>
    </>
  );
}

/** Begins with nothing. The amount is that of the chosen items, and may be changed. */
function RefundFields({ order, errors }: FieldsProps) {
  const { items, currency } = order;
  const max = leftToRefund(order);
  const [{ units, amount }, setChosen] = useState<{ units: ReadonlyMap<string, number>; amount: number }>({
    units: new Map(),
    amount: 0,
  });
  return (
    <>
      <LineSteppers
        caption="Items that come back"
        lines={items}
        leftOf={leftToTakeBack}
        units={units}
        onChange={(chosen) => setChosen({ units: chosen, amount: shareOf(order, chosen) })}
      />
      <div>
        <Button onClick={() => setChosen({ units: unitsOf(items, leftToTakeBack), amount: max })}>
          All that is left: <Amount amount={max} currency={currency} />
        </Button>
      </div>
      <AmountField
        key={amount}
        label="Amount"
        currency={currency}
        max={max}
        initial={amount > 0 ? amount : undefined}
        error={errors.amount}
      />
      <Reason error={errors.reason} />
      <Text
        name="reference"
        label="Reference"
        hint="The refund’s id at the payment provider."
        errors={errors}
      />
    </>
  );
}

interface TextProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly initial?: string | undefined;
  readonly errors: ActionFieldsProps["errors"];
}

export function Text({ name, label, hint, initial, errors }: TextProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      error={errors[name]}
      name={name}
      defaultValue={initial}
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
