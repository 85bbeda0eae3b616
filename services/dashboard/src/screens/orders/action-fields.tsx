import type { DataOf } from "@tradepost/client/operations";
import { type ComponentProps, useState } from "react";
import type { OrderAction } from "../../format/order-words.ts";
import { number } from "../../format/shop.ts";
import { Button } from "../../ui/button.tsx";
import { AreaField, ChoiceField, TextField } from "../../ui/field.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { Amount } from "../../ui/value.tsx";
import { UNITS } from "./actions.ts";
import { AmountField } from "./money-fields.tsx";
import { leftToRefund, shareOf } from "./total.ts";

interface ActionFieldsProps {
  readonly action: OrderAction;
  readonly order: DataOf<"getOrder">;
}

const OUTCOMES = [
  { value: "succeeded", text: "It succeeded", hint: "The order is paid, or a part of it.", isChosen: true },
  { value: "failed", text: "It failed", hint: "The order stays unpaid, and can be paid later." },
];
const TEXT_CHARACTERS_MAX = 255;
const REASON_CHARACTERS_MAX = 1_000;

export function ActionFields({ action, order }: ActionFieldsProps) {
  const { currency, amountDue } = order;
  switch (action) {
    case "payments":
      return (
        <>
          <ChoiceField label="Outcome" type="radio" name="status" options={OUTCOMES} />
          <AmountField currency={currency} max={amountDue} initial={amountDue} />
          <Text name="reference" label="Reference" hint="The payment’s id at the payment provider." />
        </>
      );
    case "fulfill":
      return <ShipFields order={order} />;
    case "cancel":
      return <Reason />;
    case "cancel_and_refund":
      return (
        <>
          <p>
            Refunded:{" "}
            <strong>
              <Amount amount={leftToRefund(order)} currency={currency} />
            </strong>
          </p>
          <Reason />
        </>
      );
    case "refund":
      return <RefundFields order={order} />;
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
function ShipFields({ order: { items } }: FieldsProps) {
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
        <Text name="carrier" label="Carrier" />
        <Text name="trackingNumber" label="Tracking number" />
      </div>
    </>
  );
}

/** Begins with nothing. The amount follows the chosen items, and may be changed. */
function RefundFields({ order }: FieldsProps) {
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
      <AmountField key={amount} currency={currency} max={max} initial={amount > 0 ? amount : undefined} />
      <Reason />
      <Text name="reference" label="Reference" hint="The refund’s id at the payment provider." />
    </>
  );
}

export function Text(props: ComponentProps<typeof TextField>) {
  return <TextField maxLength={TEXT_CHARACTERS_MAX} spellCheck={false} {...props} />;
}

export function Reason() {
  return (
    <AreaField
      label="Reason"
      hint="Shown in the timeline, and sent to programs that follow the orders."
      name="reason"
      maxLength={REASON_CHARACTERS_MAX}
    />
  );
}

interface LineSteppersProps {
  readonly caption: string;
  readonly lines: readonly Line[];
  /** The most units of a line. Lines without any are not shown. */
  readonly leftOf: (line: Line) => number;
  readonly units: ReadonlyMap<string, number>;
  readonly onChange: (units: ReadonlyMap<string, number>) => void;
  readonly isRequired?: boolean;
}

function LineSteppers({ caption, lines, leftOf, units, onChange, isRequired }: LineSteppersProps) {
  const shown = lines.filter((line) => leftOf(line) > 0);
  const set = (line: Line, count: number) =>
    onChange(new Map([...units, [line.id, Math.min(Math.max(Math.trunc(count) || 0, 0), leftOf(line))]]));
  const isMissing = isRequired === true && shown.every(({ id }) => (units.get(id) ?? 0) === 0);
  const columns: Column<Line>[] = [
    {
      name: "Item",
      cell: ({ name, sku }) => (
        <bdi className="clamped" title={sku}>
          {name}
        </bdi>
      ),
    },
    {
      name: "Quantity",
      cell: (line) => {
        const [count, left] = [units.get(line.id) ?? 0, leftOf(line)];
        return (
          <span className="stepper">
            <Button
              text="−"
              about={`one ${line.name}`}
              disabled={count === 0}
              onClick={() => set(line, count - 1)}
            />
            <input
              className="input number"
              type="number"
              name={`${UNITS}${line.id}`}
              aria-label={`Quantity of ${line.name}`}
              min={0}
              max={left}
              value={count}
              ref={(input) => input?.setCustomValidity(isMissing ? "Choose at least one item." : "")}
              onChange={({ currentTarget }) => set(line, currentTarget.valueAsNumber)}
            />
            <Button
              text="+"
              about={`one ${line.name}`}
              disabled={count === left}
              onClick={() => set(line, count + 1)}
            />
            <span className="soft">of {number(left)}</span>
          </span>
        );
      },
    },
  ];
  return <Table caption={caption} columns={columns} rows={shown} />;
}
