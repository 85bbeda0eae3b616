// The notices as a table.
import { Link } from "@tanstack/react-router";
import { type Receivers, useReceivers } from "../../data/use-receivers.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { factsText, type Notice, wordingOf } from "./texts.ts";

interface NoticeTableProps {
  readonly notices: readonly Notice[];
  /** The id of the notice that is being acknowledged. */
  readonly acknowledging: string | undefined;
  /** Undefined if the role may not acknowledge notices. */
  readonly onAcknowledge: ((notice: Notice) => void) | undefined;
}

export function NoticeTable({ notices, acknowledging, onAcknowledge }: NoticeTableProps) {
  const receivers = useReceivers();
  const columns: readonly Column<Notice>[] = [
    {
      name: "Notice",
      isHeading: true,
      cell: (notice) => (
        <div className="lines">
          <Kind notice={notice} />
          <Subject notice={notice} receivers={receivers} />
        </div>
      ),
    },
    { name: "Since", cell: (notice) => <Since notice={notice} /> },
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

function Kind({ notice: { kind, closedAt } }: { readonly notice: Notice }) {
  const { text, tone } = wordingOf(kind);
  return <Badge tone={closedAt === null ? tone : "quiet"}>{text}</Badge>;
}

interface SubjectProps {
  readonly notice: Notice;
  readonly receivers: Receivers;
}

function Subject({ notice: { subscriptionId, subject }, receivers }: SubjectProps) {
  // A listener and a deleted subscription have no page.
  if (subscriptionId === null || receivers.find(subscriptionId)?.kind !== "subscription")
    return <bdi>{subject}</bdi>;
  return (
    <Link to="/webhooks/$subscriptionId" params={{ subscriptionId }}>
      <bdi>{subject}</bdi>
    </Link>
  );
}

function Since({ notice: { openedAt, closedAt } }: { readonly notice: Notice }) {
  return (
    <div className="lines">
      <Time at={openedAt} />
      {closedAt !== null && (
        <span className="soft">
          Closed <Time at={closedAt} />
        </span>
      )}
    </div>
  );
}

interface AcknowledgedProps extends Pick<NoticeTableProps, "onAcknowledge"> {
  readonly notice: Notice;
  readonly isBusy: boolean;
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
    <Button look="quiet" isBusy={isBusy} onClick={() => onAcknowledge(notice)}>
      Acknowledge <span className="hidden">{subject}</span>
    </Button>
  );
}
