// The notices: problems that need somebody's attention, and the destination to which they are sent.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { holderOf, useMe } from "../../data/me.ts";
import { useChange } from "../../data/use-change.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { isAllowed } from "../../session/roles.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Filters, SelectFilter } from "../../ui/filters.tsx";
import { Screen } from "../../ui/screen.tsx";
import { say } from "../../ui/toasts.tsx";
import { ListView } from "../../ui/views.tsx";
import { Destination } from "./destination.tsx";
import { NoticeTable } from "./notice-table.tsx";
import { type NoticesSearch, noticesSearch, queryOf } from "./search.ts";

const LIVE_MS = 5_000;
const STATES = [
  { value: "open", text: "Open" },
  { value: "closed", text: "Closed" },
];

export default function Notices() {
  const search = useSearch({ from: "/app/notices" });
  const navigate = useNavigate({ from: "/notices" });
  const holder = holderOf(useMe());
  const query = queryOf(search);
  const list = useLiveList("listNotices", query, { everyMs: LIVE_MS });
  const acknowledge = useChange("acknowledgeNotice", {
    stale: ["listNotices"],
    onDone: ({ subject }) => say(`The notice about “${subject}” is acknowledged.`),
  });
  return (
    <Screen
      title="Notices"
      intro="Each says what needs care and what happens next. It closes by itself when that is over."
    >
      <Filters label="Filter notices" onChange={(values) => navigate({ search: noticesSearch(values) })}>
        <SelectFilter label="State" name="state" value={search.state} options={STATES} />
      </Filters>
      {acknowledge.error && <ErrorNote failure={acknowledge.error} />}
      <ListView list={list} nouns={{ one: "notice", many: "notices" }} empty={<NoNotices search={search} />}>
        {(notices) => (
          <NoticeTable
            notices={notices}
            acknowledging={acknowledge.isPending ? acknowledge.variables.path?.id : undefined}
            onAcknowledge={
              isAllowed(holder, { role: "editor" })
                ? ({ id }) => acknowledge.mutate({ path: { id } })
                : undefined
            }
          />
        )}
      </ListView>
      {isAllowed(holder, { role: "admin" }) && <Destination />}
      <BehindTheScreen operation="listNotices" input={{ query }} />
    </Screen>
  );
}

function NoNotices({ search: { state } }: { readonly search: NoticesSearch }) {
  return (
    <EmptyState title={state === undefined ? "There are no notices" : `There are no ${state} notices`}>
      <p>An endpoint that fails, and deliveries that failed for good, appear here.</p>
    </EmptyState>
  );
}
