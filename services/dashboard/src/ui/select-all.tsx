// The boxes that tick the rows of a list. The box in its head ticks all rows. The actions on the ticked rows cover the names of the
// columns, so that no row moves.
import type { ReactNode } from "react";
import type { Counted } from "../api/send.ts";
import { SELECTED_MAX, type Selection } from "../data/use-selection.ts";
import { number } from "../format/shop.ts";
import { Button } from "./button.tsx";
import type { Column } from "./list.tsx";
import "./select-all.css";

interface SelectAllProps {
  readonly label: string;
  readonly selection: Selection;
  readonly children: ReactNode;
}

export function SelectAll({ label, selection, children }: SelectAllProps) {
  const { shown, ticked, rest } = selection;
  const isAll = ticked.length === shown.length;
  return (
    <>
      <label className="select-all">
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = !isAll && ticked.length > 0;
          }}
          onChange={({ currentTarget }) => selection.tickShown(currentTarget.checked)}
        />
        <span>Select all shown</span>
      </label>
      {ticked.length > 0 && (
        <section className="ticked" aria-label={label}>
          <span>{number(ticked.length)} selected</span>
          {isAll && rest !== undefined && (
            <Button text={restText(rest.counted)} isBusy={rest.isBusy} onClick={rest.start} />
          )}
          {children}
        </section>
      )}
    </>
  );
}

function restText(counted: Counted | undefined): string {
  if (counted === undefined) return "Select all that match";
  return counted.countIsMore ? `Select ${number(SELECTED_MAX)}` : `Select all ${number(counted.count)}`;
}

interface TickProps {
  readonly label: string;
  readonly selection: Selection;
  readonly id: string;
}

/** The box of one row. The space around it ticks it too. */
export function Tick({ label, selection, id }: TickProps) {
  return (
    <label className="tick">
      <input
        type="checkbox"
        aria-label={label}
        checked={selection.isTicked(id)}
        onChange={({ currentTarget, nativeEvent }) =>
          selection.tick(id, currentTarget.checked, (nativeEvent as MouseEvent).shiftKey)
        }
      />
    </label>
  );
}

/** The first column; `head` is its `SelectAll`. */
export function tickColumn<Row extends { readonly id: string }>(
  selection: Selection,
  head: ReactNode,
  labelOf: (row: Row) => string,
): Column<Row> {
  return {
    name: "Select",
    head,
    isActions: true,
    cell: (row) => <Tick label={labelOf(row)} selection={selection} id={row.id} />,
  };
}
