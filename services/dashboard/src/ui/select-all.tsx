// The boxes that tick the rows of a table. The one in its head ticks all of them. What can be done with the ticked rows covers the
// names of the columns, so that no row moves.

import type { ReactNode } from "react";
import { number } from "../format/shop.ts";
import "./select-all.css";

interface SelectAllProps {
  readonly label: string;
  readonly shown: number;
  readonly ticked: number;
  readonly onChange: (isTicked: boolean) => void;
  readonly children: ReactNode;
}

export function SelectAll({ label, shown, ticked, onChange, children }: SelectAllProps) {
  const isAll = ticked === shown;
  return (
    <>
      <label className="select-all">
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = !isAll && ticked > 0;
          }}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <span>Select all shown</span>
      </label>
      {ticked > 0 && (
        <section className="ticked" aria-label={label}>
          <span>{number(ticked)} selected</span>
          {children}
        </section>
      )}
    </>
  );
}

interface TickProps {
  /** For screen readers: `Select order 1001`. */
  readonly label: string;
  readonly isTicked: boolean;
  /** `isRange` is true if Shift is held. */
  readonly onChange: (isTicked: boolean, isRange: boolean) => void;
}

/** The box of one row. The space around it ticks it too. */
export function Tick({ label, isTicked, onChange }: TickProps) {
  return (
    <label className="tick">
      <input
        type="checkbox"
        aria-label={label}
        checked={isTicked}
        onChange={({ currentTarget, nativeEvent }) =>
          onChange(currentTarget.checked, (nativeEvent as MouseEvent).shiftKey)
        }
      />
    </label>
  );
}
