// The redirects, newest first.
import { Button } from "../../ui/button.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { nameOf, type Redirect } from "./redirect-type.ts";

interface RedirectTableProps {
  readonly redirects: readonly Redirect[];
  /** Undefined if the user may not remove redirects. */
  readonly onRemove: ((redirect: Redirect) => void) | undefined;
}

export function RedirectTable({ redirects, onRemove }: RedirectTableProps) {
  const columns: Column<Redirect>[] = [
    { name: "From", isHeading: true, cell: ({ from }) => <Path path={from} /> },
    { name: "To", cell: ({ to }) => <Path path={to} /> },
    { name: "Kind", cell: ({ type }) => <Kind type={type} /> },
    { name: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  if (onRemove !== undefined)
    columns.push({
      name: "Actions",
      isActions: true,
      cell: (redirect) => (
        <Button look="quiet" onClick={() => onRemove(redirect)}>
          Remove<span className="hidden"> the redirect from {redirect.from}</span>
        </Button>
      ),
    });
  return <Table caption="Redirects" columns={columns} rows={redirects} />;
}

function Path({ path }: { readonly path: string }) {
  return (
    <code className="clamped" title={path}>
      {path}
    </code>
  );
}

function Kind({ type }: Pick<Redirect, "type">) {
  return (
    <span className="lines">
      {nameOf(type)} <code className="soft">{type}</code>
    </span>
  );
}
