// Filters by time: two fields, and buttons for the periods that people ask for most. Goes into `<Filters>`.
import { useRef } from "react";
import { type PeriodField, periodsUntil, zoneText } from "../format/time.ts";
import { Button } from "./button.tsx";
import { InputFilter } from "./filters.tsx";
import "./period-filter.css";

interface PeriodFilterProps {
  readonly type: PeriodField;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export function PeriodFilter({ type, from, to }: PeriodFilterProps) {
  const fields = useRef<HTMLFieldSetElement>(null);
  const now = new Date();
  const choose = (start: string) => {
    const [first, last] = fields.current?.querySelectorAll("input") ?? [];
    if (first === undefined || last === undefined) return;
    first.value = start;
    last.value = "";
    first.form?.requestSubmit();
  };
  return (
    <fieldset ref={fields} className="period">
      <legend className="hidden">Period</legend>
      <InputFilter label="From" name="from" type={type} value={from} />
      <InputFilter label="To" name="to" type={type} value={to} />
      <div className="period-choice">
        <div className="row">
          {periodsUntil(now, type).map((period) => (
            <Button
              key={period.text}
              look="quiet"
              aria-pressed={from === period.from && to === undefined}
              onClick={() => choose(period.from)}
            >
              {period.text}
            </Button>
          ))}
        </div>
        <p>{zoneText(now)}</p>
      </div>
    </fieldset>
  );
}
