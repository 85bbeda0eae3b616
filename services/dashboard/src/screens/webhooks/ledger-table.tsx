// The days of a ledger as a table. One of them can be unfolded to its types.
import { dayText } from "../../format/time.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/code.tsx";
import { FoldIcon } from "../../ui/icons.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { COUNTS, type LedgerRow } from "./ledger-rows.ts";
import "./ledger-table.css";

interface LedgerTableProps {
  readonly rows: readonly LedgerRow[];
  readonly unfolded: string | undefined;
  readonly onUnfold: (day: string) => void;
}

const NUMBERS: readonly Column<LedgerRow>[] = COUNTS.map((count) => ({
  name: count.charAt(0).toUpperCase() + count.slice(1),
  isNumber: true,
  cell: ({ counts }) => <Count value={counts[count]} />,
}));

export function LedgerTable({ rows, unfolded, onUnfold }: LedgerTableProps) {
  const columns: readonly Column<LedgerRow>[] = [
    {
      name: "Day",
      isHeading: true,
      cell: ({ type, day: { day, types } }) => {
        if (type !== null) return <span className="ledger-type">{EVENT_TYPES[type]}</span>;
        if (types.length === 0) return <span className="ledger-empty">{dayText(day)}</span>;
        return (
          <div className="ledger-day">
            <Button look="quiet" aria-expanded={day === unfolded} onClick={() => onUnfold(day)}>
              <FoldIcon />
              {dayText(day)}
            </Button>
          </div>
        );
      },
    },
    {
      name: "State",
      cell: ({ type, day: { closed } }) =>
        type === null && <Badge tone={closed ? "good" : "quiet"}>{closed ? "Closed" : "Open"}</Badge>,
    },
    ...NUMBERS,
    {
      name: "Digest",
      cell: ({ type, day: { day, digest } }) =>
        type === null && (
          <div className="ledger-digest">
            <code title={digest}>{digest.slice(0, 8)}…</code>
            <CopyButton text={digest} what={`the digest of ${dayText(day)}`} />
          </div>
        ),
    },
  ];
  return (
    <div className="ledger">
      <Table caption="Ledger" columns={columns} rows={rows} />
    </div>
  );
}

function Count({ value }: { readonly value: number }) {
  return <span className={value === 0 ? "soft" : undefined}>{value.toLocaleString("en")}</span>;
}
