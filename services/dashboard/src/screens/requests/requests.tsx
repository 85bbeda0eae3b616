// The requests of people, programs and assistants to the API in the last seven days, and the responses.
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type Actors, useActors } from "../../data/use-actors.ts";
import { useList } from "../../data/use-list.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Note } from "../../ui/note.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ListView } from "../../ui/views.tsx";
import { RequestFilters } from "./request-filters.tsx";
import { RequestTable } from "./request-table.tsx";
import { queryOf, type RequestsSearch } from "./search.ts";

const PAGE = 50;

export default function Requests() {
  const search = useSearch({ from: "/app/requests" });
  const navigate = useNavigate({ from: "/requests" });
  const actors = useActors();
  // Not read again automatically, because each read would add a row.
  const list = useList("listRequests", { ...queryOf(search), limit: PAGE });
  return (
    <Screen
      title="Requests"
      intro="Every request of the last seven days, by people, programs and assistants. Bodies and addresses are not kept."
      action={
        <Button isBusy={list.isRefetching} onClick={() => list.refetch()}>
          Refresh
        </Button>
      }
    >
      <RequestFilters search={search} actors={actors} onChange={(to) => navigate({ search: to })} />
      {search.keyId !== undefined && <AboutKey keyId={search.keyId} actors={actors} />}
      <Log search={search} list={list} />
      <BehindTheScreen operation="listRequests" input={{ query: queryOf(search) }} />
    </Screen>
  );
}

function AboutKey({ keyId, actors: { keys } }: { readonly keyId: string; readonly actors: Actors }) {
  const name = keys.find(({ id }) => id === keyId)?.name;
  return (
    <Note tone="info" title={name === undefined ? "The requests of one key" : `The requests of “${name}”`}>
      <p>
        The{" "}
        <Link to="/audit-log" search={{ targetId: keyId }}>
          audit log
        </Link>{" "}
        has the changes of the key itself.
      </p>
    </Note>
  );
}

interface LogProps {
  readonly search: RequestsSearch;
  readonly list: ReturnType<typeof useList<"listRequests">>;
}

function Log({ search, list }: LogProps) {
  const isFiltered = Object.keys(search).length > 0;
  const empty = list.hasNextPage ? (
    <EmptyState title="Nothing found so far">
      <p>A request searches 10,000 requests, and none of the newest matches. The search can go on.</p>
      <MoreButton list={list} />
    </EmptyState>
  ) : (
    <EmptyState title={isFiltered ? "No request matches" : "No requests yet"}>
      <p>Requests are listed a few seconds after they are made, and are kept for seven days.</p>
      {isFiltered && <Link to="/requests">Show all requests</Link>}
    </EmptyState>
  );
  return (
    <ListView list={list} empty={empty}>
      {(requests) => <RequestTable requests={requests} search={search} />}
    </ListView>
  );
}
