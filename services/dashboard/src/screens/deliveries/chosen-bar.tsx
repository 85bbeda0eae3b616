// The deliveries that are ticked, and the actions on them.
import { useState } from "react";
import type { Receivers } from "../../data/use-receivers.ts";
import { Button } from "../../ui/button.tsx";
import { SelectAll } from "../../ui/select-all.tsx";
import type { ListedDelivery } from "./delivery-table.tsx";
import { RedeliverManyDialog } from "./redeliver-many-dialog.tsx";

interface ChosenBarProps {
  /** All deliveries on the screen. */
  readonly deliveries: readonly ListedDelivery[];
  readonly chosen: ReadonlySet<string>;
  readonly receivers: Receivers;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

const NONE: ReadonlySet<string> = new Set();

export function ChosenBar({ deliveries, chosen, receivers, onChange }: ChosenBarProps) {
  const [sent, setSent] = useState<readonly ListedDelivery[] | null>(null);
  const shown = deliveries.filter(({ id }) => chosen.has(id));
  return (
    <>
      <SelectAll
        label="Selected deliveries"
        shown={deliveries.length}
        ticked={shown.length}
        onChange={(isTicked) => onChange(isTicked ? new Set(deliveries.map(({ id }) => id)) : NONE)}
      >
        <Button onClick={() => setSent(shown)}>
          Redeliver {shown.length === 1 ? "1 delivery" : `${shown.length} deliveries`}
        </Button>
      </SelectAll>
      {sent !== null && (
        <RedeliverManyDialog
          deliveries={sent}
          receivers={receivers}
          onClose={(isDone) => {
            setSent(null);
            if (isDone) onChange(NONE);
          }}
        />
      )}
    </>
  );
}
