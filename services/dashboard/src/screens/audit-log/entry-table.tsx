// The entries, newest first: time, actor, action and target.
import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import type { Actors } from "../../data/use-actors.ts";
import { exactTime } from "../../format/time.ts";
import { Address } from "../../ui/address.tsx";
import { Badge } from "../../ui/badge.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { textOfAction } from "./actions.ts";
import { EntryDetails } from "./entry-details.tsx";
import { nameOfTarget } from "./names.ts";
import { Target } from "./target.tsx";

type Entry = DataOf<"listAuditLog">[number];

interface EntryTableProps {
  readonly entries: readonly Entry[];
  readonly actors: Actors;
}

const ACTOR_KINDS: Readonly<Record<Entry["actor"]["type"], string>> = {
  user: "Person",
  api_key: "Key",
  operator: "Operator of the platform",
};

export function EntryTable({ entries, actors }: EntryTableProps) {
  const columns: Column<Entry>[] = [
    { name: "When", cell: ({ at }) => <When at={at} /> },
    { name: "Who", cell: ({ actor }) => <Who actor={actor} /> },
    { name: "What", isHeading: true, cell: (entry) => <What entry={entry} /> },
    { name: "Target", cell: (entry) => <Target target={entry.target} name={nameOfTarget(entry, actors)} /> },
    { name: "Address", cell: ({ ip }) => <Address ip={ip} /> },
  ];
  return <Table caption="Audit log" columns={columns} rows={entries} />;
}

function When({ at }: { readonly at: string }) {
  return (
    <div className="lines">
      <Time at={at} />
      <span className="soft number">{exactTime(at)}</span>
    </div>
  );
}

function Who({ actor: { type, id, name } }: Pick<Entry, "actor">) {
  return (
    <div className="lines">
      <Link to="/audit-log" search={{ actorId: id }}>
        <bdi>{name}</bdi>
        <span className="hidden">: everything they did</span>
      </Link>
      <span className="soft">{ACTOR_KINDS[type]}</span>
    </div>
  );
}

function What({ entry }: { readonly entry: Entry }) {
  const { text, isAlarming = false } = textOfAction(entry.action);
  return (
    <div className="entry">
      {isAlarming ? <Badge tone="warning">{text}</Badge> : <strong>{text}</strong>}
      <EntryDetails entry={entry} />
    </div>
  );
}
