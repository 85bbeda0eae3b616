// How many units of each line an action is for: a table with a stepper in each row.
import type { DataOf } from "@tradepost/client/operations";
import { number } from "../../format/shop.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { UNITS } from "./actions.ts";
import "./line-steppers.css";

type Line = DataOf<"getOrder">["items"][number];

interface LineSteppersProps {
  readonly caption: string;
  readonly lines: readonly Line[];
  /** The most units of a line. Lines without any are not shown. */
  readonly leftOf: (line: Line) => number;
  /** The chosen units by the ids of the lines. */
  readonly units: ReadonlyMap<string, number>;
  readonly onChange: (units: ReadonlyMap<string, number>) => void;
  /** True if at least one unit must be chosen. */
  readonly isRequired?: boolean;
}

export function LineSteppers({ caption, lines, leftOf, units, onChange, isRequired }: LineSteppersProps) {
  const shown = lines.filter((line) => leftOf(line) > 0);
  const set = (line: Line, count: number) =>
    onChange(new Map([...units, [line.id, Math.min(Math.max(Math.trunc(count) || 0, 0), leftOf(line))]]));
  const isMissing = isRequired === true && shown.every(({ id }) => (units.get(id) ?? 0) === 0);
  const columns: Column<Line>[] = [
    {
      name: "Item",
      isHeading: true,
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
            <Button about={`one ${line.name}`} disabled={count === 0} onClick={() => set(line, count - 1)}>
              −
            </Button>
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
            <Button about={`one ${line.name}`} disabled={count === left} onClick={() => set(line, count + 1)}>
              +
            </Button>
            <span className="soft">of {number(left)}</span>
          </span>
        );
      },
    },
  ];
  return <Table caption={caption} columns={columns} rows={shown} />;
}
