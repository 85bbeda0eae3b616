import type { DataOf } from "@tradepost/client/operations";
import type { ReactNode } from "react";
import { programOf } from "../../format/user-agent.ts";
import { type Role, textOfRole } from "../../session/roles.ts";
import { Address } from "../../ui/code.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { Badge, Time } from "../../ui/value.tsx";

type Session = DataOf<"listUserSessions">[number] & { readonly current?: boolean };

interface SessionTableProps<One extends Session> {
  readonly sessions: readonly One[];
  readonly action?: (session: One) => ReactNode;
}

export function SessionTable<One extends Session>({ sessions, action }: SessionTableProps<One>) {
  const columns: Column<One>[] = [
    { name: "Browser", cell: (session) => <Browser session={session} /> },
    { name: "Address", cell: ({ ip }) => <Address ip={ip} /> },
    { name: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    { name: "Signed in", cell: ({ createdAt }) => <Time at={createdAt} /> },
    ...(action === undefined ? [] : [{ name: "Actions", isActions: true, cell: action }]),
  ];
  return <Table caption="Open sessions" columns={columns} rows={sessions} />;
}

function Browser({ session: { userAgent, current = false } }: { readonly session: Session }) {
  return (
    <span className="row" title={userAgent ?? undefined}>
      {programOf(userAgent)}
      {current && <Badge tone="good">This session</Badge>}
    </span>
  );
}

export function RoleText({ role }: { readonly role: Role }) {
  const { name, may } = textOfRole(role);
  return (
    <div className="lines">
      {name}
      <span className="soft">{may}</span>
    </div>
  );
}
