// The requests of people, programs and assistants to the API in the last seven days, and the responses.
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ItemOf, OPERATIONS } from "@tradepost/client/operations";
import { useList } from "../../data/operations.ts";
import { type Actors, actorOptions, useActors } from "../../data/use-names.ts";
import { duration } from "../../format/time.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { Filters, InputFilter, MoreFilters, PeriodFilter, SelectFilter } from "../../ui/filters.tsx";
import { type Column, EmptyState, ListView, Table } from "../../ui/list.tsx";
import { Note } from "../../ui/note.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { Badge, ExactTime } from "../../ui/value.tsx";
import { queryOf, type RequestsSearch, requestsSearch } from "./search.ts";

const PAGE = 100;

export default function Requests() {
  const search = useSearch({ from: "/app/requests" });
  const navigate = useNavigate({ from: "/requests" });
  const actors = useActors();
  // Not read again automatically, because each read would add a row.
  const list = useList("listRequests", { ...queryOf(search), limit: PAGE });
  return (
    <Screen
      title="Requests"
      intro="The requests of the last seven days, by programs and assistants or also by people. Bodies are not kept."
      action={<Button text="Refresh" isBusy={list.isRefetching} onClick={() => list.refetch()} />}
    >
      <RequestFilters search={search} actors={actors} onChange={(to) => navigate({ search: to })} />
      {search.keyId !== undefined && <AboutKey keyId={search.keyId} actors={actors} />}
      <ListView list={list} empty={<NoRequests isFiltered={Object.keys(search).length > 0} />}>
        {(requests) => <RequestTable requests={requests} search={search} />}
      </ListView>
      <BehindTheScreen operation="listRequests" input={{ query: queryOf(search) }} />
    </Screen>
  );
}

function AboutKey({ keyId, actors: { keys } }: { readonly keyId: string; readonly actors: Actors }) {
  const name = keys.find(({ id }) => id === keyId)?.name;
  return (
    <Note tone="info" title={name === undefined ? "The requests of one key" : `The requests of “${name}”`}>
      <p>
        The <TextLink to="/audit-log" search={{ targetId: keyId }} text="audit log" /> has the changes of the
        key itself.
      </p>
    </Note>
  );
}

function NoRequests({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState title={isFiltered ? "No request matches" : "No requests yet"}>
      <p>Requests are listed a few seconds after they are made, and are kept for seven days.</p>
      {isFiltered && <Link to="/requests">Show all requests</Link>}
    </EmptyState>
  );
}

interface RequestFiltersProps {
  readonly search: RequestsSearch;
  readonly actors: Actors;
  readonly onChange: (search: RequestsSearch) => void;
}

function RequestFilters({ search, actors, onChange }: RequestFiltersProps) {
  const { keyId, userId, people } = search;
  const who = keyId ?? userId ?? (people ? EVERYBODY.value : undefined);
  const changed = ({ who: chosen, ...values }: Readonly<Record<string, string>>) =>
    onChange(requestsSearch({ ...values, ...actorIn(chosen, actors, search) }));
  return (
    <Filters label="Filter requests" values={{ ...search, who }} onChange={changed}>
      <SelectFilter label="Who" name="who" all="Programs" options={[EVERYBODY, ...actorOptions(actors)]} />
      <SelectFilter label="Route" name="route" options={ROUTES} />
      <InputFilter label="Status" name="status" placeholder="422" />
      <MoreFilters>
        <PeriodFilter type="datetime-local" />
      </MoreFilters>
    </Filters>
  );
}

const EVERYBODY = { value: "everybody", text: "Programs and people" };

/** An actor who is no longer in the lists is still a key if the address says so. */
function actorIn(id: string | undefined, { keys }: Actors, { keyId }: RequestsSearch) {
  if (id === EVERYBODY.value) return { people: true };
  return id === keyId || keys.some((key) => key.id === id) ? { keyId: id } : { userId: id };
}

const ROUTES = [...new Set(Object.values(OPERATIONS).map(({ path }) => path.replace(/\{(\w+)\}/g, ":$1")))]
  .toSorted()
  .map((value) => ({ value, text: value }));

type LoggedRequest = ItemOf<"listRequests">;

interface RequestTableProps {
  readonly requests: readonly LoggedRequest[];
  /** The filters, to which a click on a person or a key adds one. */
  readonly search: RequestsSearch;
}

interface Row extends LoggedRequest {
  readonly requestId: string;
}

function RequestTable({ requests, search }: RequestTableProps) {
  const isOneActor = search.keyId !== undefined || search.userId !== undefined;
  const columns: Column<Row>[] = [
    {
      name: "Request",
      cell: ({ requestId, method, route }) => (
        <Link to="/requests/$requestId" params={{ requestId }}>
          <code>
            {method} {route}
          </code>
        </Link>
      ),
    },
    { name: "Status", cardLine: 1, cell: (request) => <Status {...request} /> },
    { name: "When", cardLine: 2, cell: ({ at }) => <ExactTime at={at} /> },
    { name: "Duration", isNumber: true, cardLine: 2, cell: ({ durationMs }) => duration(durationMs) },
  ];
  const who: Column<Row> = {
    name: "Who",
    cardLine: 2,
    cell: (request) => <Who request={request} search={search} />,
  };
  if (!isOneActor) columns.splice(3, 0, who);
  // The caller may choose the id of a request, so it need not be unique.
  const rows = requests.map((request, index) => ({
    ...request,
    requestId: request.id,
    id: String(requests.length - index),
  }));
  return <Table caption="Requests" columns={columns} rows={rows} />;
}

export function Status({ status, code }: Pick<LoggedRequest, "status" | "code">) {
  const tone = status >= 500 ? "danger" : status >= 400 ? "warning" : "good";
  return (
    <>
      <Badge tone={tone}>{status}</Badge> {code !== null && <code className="soft">{code}</code>}
    </>
  );
}

function Who({ request: { actor, ip }, search }: { request: Row } & Pick<RequestTableProps, "search">) {
  const { type, id, name } = actor;
  const { keyId: _, userId: __, people: ___, ...rest } = search;
  return (
    <div className="lines lines-pair">
      <Link to="/requests" search={{ ...rest, ...(type === "api_key" ? { keyId: id } : { userId: id }) }}>
        <bdi>{name}</bdi>
      </Link>
      <span className="soft">{type === "user" ? "Person" : ip}</span>
    </div>
  );
}
