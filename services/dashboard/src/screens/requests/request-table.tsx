// The log as a table.
import { Link } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import { duration } from "../../format/duration.ts";
import { size } from "../../format/size.ts";
import { Badge } from "../../ui/badge.tsx";
import { ShortId } from "../../ui/id.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ExactTime } from "../../ui/time.tsx";
import type { RequestsSearch } from "./search.ts";

type LoggedRequest = ItemOf<"listRequests">;

interface RequestTableProps {
  readonly requests: readonly LoggedRequest[];
  /** The filters, to which a click on a route or a person adds one. */
  readonly search: RequestsSearch;
}

interface Row {
  readonly id: string;
  readonly request: LoggedRequest;
}

export function RequestTable({ requests, search }: RequestTableProps) {
  const isOneActor = search.keyId !== undefined || search.userId !== undefined;
  const columns: Column<Row>[] = [
    {
      name: "Request",
      isHeading: true,
      cell: ({ request: { method, route } }) => (
        <code>
          {method}{" "}
          <Link to="/requests" search={{ ...search, route }}>
            {route}
          </Link>
        </code>
      ),
    },
    { name: "Status", cardLine: 1, cell: ({ request }) => <Status request={request} /> },
    { name: "When", cardLine: 2, cell: ({ request: { at } }) => <ExactTime at={at} /> },
    ...(isOneActor ? [] : [whoColumn(search)]),
    {
      name: "Duration",
      isNumber: true,
      cardLine: 2,
      cell: ({ request: { durationMs } }) => duration(durationMs),
    },
    {
      name: "Sent",
      isNumber: true,
      isMinor: true,
      cell: ({ request: { requestBytes } }) => size(requestBytes),
    },
    {
      name: "Received",
      isNumber: true,
      isMinor: true,
      cell: ({ request: { responseBytes } }) => size(responseBytes),
    },
    {
      name: "Request id",
      isMinor: true,
      cell: ({ request: { id } }) => <ShortId id={id} what="request id" />,
    },
  ];
  // The caller may choose the id of a request, so it need not be unique.
  const rows = requests.map((request, index) => ({ request, id: String(requests.length - index) }));
  return <Table caption="Requests" columns={columns} rows={rows} />;
}

function whoColumn(search: RequestsSearch): Column<Row> {
  return {
    name: "Who",
    cardLine: 2,
    cell: ({ request: { actor } }) => <Who actor={actor} search={search} />,
  };
}

function Status({ request: { status, code } }: { readonly request: LoggedRequest }) {
  const tone = status >= 500 ? "danger" : status >= 400 ? "warning" : "good";
  return (
    <div className="lines">
      <Badge tone={tone}>{status}</Badge>
      {code !== null && <code className="soft">{code}</code>}
    </div>
  );
}

function Who({
  actor: { type, id, name },
  search,
}: Pick<LoggedRequest, "actor"> & Pick<RequestTableProps, "search">) {
  const { keyId: _, userId: __, ...rest } = search;
  return (
    <div className="lines">
      <Link to="/requests" search={{ ...rest, ...(type === "api_key" ? { keyId: id } : { userId: id }) }}>
        <bdi>{name}</bdi>
      </Link>
      <span className="soft">{type === "api_key" ? "Key" : "Person"}</span>
    </div>
  );
}
