// The notices: problems that need somebody's attention, and the destination to which they are sent.
import { useSearch } from "@tanstack/react-router";
import { holderOf, useMe } from "../../data/me.ts";
import { useChange } from "../../data/operations.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { type Receivers, useReceivers } from "../../data/use-receivers.ts";
import { isAllowed } from "../../session/roles.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { AddressFilters, SelectFilter } from "../../ui/filters.tsx";
import { type Column, EmptyState, ListView, Table } from "../../ui/list.tsx";
import { ErrorNote } from "../../ui/note.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { Badge, Time } from "../../ui/value.tsx";
import { Destination } from "./destination.tsx";
import { queryOf } from "./search.ts";
import { factsText, hasPage, type Notice, wordingOf } from "./texts.ts";

const STATES = [
  { value: "open", text: "Open" },
  { value: "closed", text: "Closed" },
];

export default function Notices() {
  const search = useSearch({ from: "/app/notices" });
  const holder = holderOf(useMe());
  const query = queryOf(search);
  const list = useLiveList("listNotices", query);
  const acknowledge = useChange("acknowledgeNotice", {
    stale: ["listNotices"],
    done: ({ subject }) => `The notice about “${subject}” is acknowledged.`,
  });
  return (
    <Screen
      title="Notices"
      intro="Each says what needs care and what happens next. It closes by itself when that is over."
    >
      <AddressFilters label="Filter notices">
        <SelectFilter label="State" name="state" options={STATES} />
      </AddressFilters>
      {acknowledge.error && <ErrorNote failure={acknowledge.error} />}
      <ListView
        list={list}
        nouns={{ one: "notice", many: "notices" }}
        empty={
          <EmptyState
            title={search.state ? `There are no ${search.state} notices` : "There are no notices"}
            text="An endpoint that fails, and deliveries that failed for good, appear here."
          />
        }
      >
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

interface NoticeTableProps extends Pick<AcknowledgedProps, "onAcknowledge"> {
  readonly notices: readonly Notice[];
  readonly acknowledging: string | undefined;
}

function NoticeTable({ notices, acknowledging, onAcknowledge }: NoticeTableProps) {
  const receivers = useReceivers();
  const columns: readonly Column<Notice>[] = [
    {
      name: "Notice",
      cell: (notice) => (
        <div className="lines">
          <Badge {...wordingOf(notice.kind)} {...(notice.closedAt !== null && { tone: "quiet" })} />
          <Subject notice={notice} receivers={receivers} />
        </div>
      ),
    },
    {
      name: "Since",
      cell: ({ openedAt, closedAt }) => (
        <div className="lines">
          <Time at={openedAt} />
          {closedAt !== null && (
            <span className="soft">
              Closed <Time at={closedAt} />
            </span>
          )}
        </div>
      ),
    },
    {
      name: "What is known",
      cell: (notice) => (
        <div className="lines">
          <span>{factsText(notice)}</span>
          <span className="soft">{notice.whatHappensNext}</span>
        </div>
      ),
    },
    {
      name: "Acknowledged",
      cell: (notice) => (
        <Acknowledged notice={notice} isBusy={notice.id === acknowledging} onAcknowledge={onAcknowledge} />
      ),
    },
  ];
  return <Table caption="Notices" columns={columns} rows={notices} />;
}

function Subject({ notice, receivers }: { readonly notice: Notice; readonly receivers: Receivers }) {
  const { subscriptionId, subject } = notice;
  if (!hasPage(subscriptionId, (id) => receivers.find(id)?.kind)) return <bdi>{subject}</bdi>;
  return <TextLink to="/webhooks/$subscriptionId" params={{ subscriptionId }} text={subject} />;
}

interface AcknowledgedProps {
  readonly notice: Notice;
  readonly isBusy: boolean;
  readonly onAcknowledge: ((notice: Notice) => void) | undefined;
}

function Acknowledged({ notice, isBusy, onAcknowledge }: AcknowledgedProps) {
  const { acknowledgedAt, acknowledgedBy, closedAt, subject } = notice;
  if (acknowledgedAt !== null)
    return (
      <div className="lines">
        <bdi>{acknowledgedBy?.name ?? "Yes"}</bdi>
        <span className="soft">
          <Time at={acknowledgedAt} />
        </span>
      </div>
    );
  if (closedAt !== null || onAcknowledge === undefined) return <span className="soft">Not yet</span>;
  return (
    <Button
      text="Acknowledge"
      look="quiet"
      isBusy={isBusy}
      onClick={() => onAcknowledge(notice)}
      about={subject}
    />
  );
}
