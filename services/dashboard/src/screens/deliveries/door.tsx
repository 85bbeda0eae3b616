import type { ItemOf } from "@tradepost/client/operations";
import type { ReactNode } from "react";
import type { useList } from "../../data/operations.ts";
import { type Receivers, useReceivers } from "../../data/use-receivers.ts";
import { useRefreshAt } from "../../data/use-refresh-at.ts";
import { duration } from "../../format/time.ts";
import { DELIVERY_STATUSES, EVENT_TYPES, outcomeText } from "../../format/webhooks.ts";
import { TextLink } from "../../ui/button.tsx";
import { ShortId } from "../../ui/code.tsx";
import { type Column, ListView, Subject, Table } from "../../ui/list.tsx";
import { Section } from "../../ui/screen.tsx";
import { Badge, Time, Until } from "../../ui/value.tsx";

export type ListedDelivery = ItemOf<"listDeliveries">;

interface LatestDeliveriesProps extends Pick<DeliveryTableProps, "isOfOne"> {
  readonly list: ReturnType<typeof useList<"listDeliveries">>;
  readonly search?: { readonly subscriptionId?: string };
  readonly none: ReactNode;
}

export function LatestDeliveries({ list, search = {}, none, ...table }: LatestDeliveriesProps) {
  useRefreshAt(
    (list.items ?? []).map(({ nextAttemptAt }) => nextAttemptAt),
    list.refetch,
  );
  return (
    <Section
      title="Latest deliveries"
      action={<TextLink to="/deliveries" search={search} text="All deliveries" />}
    >
      <ListView list={{ ...list, hasNextPage: false }} empty={<p className="soft">{none}</p>}>
        {(deliveries) => <DeliveryTable deliveries={deliveries} {...table} />}
      </ListView>
    </Section>
  );
}

interface DeliveryTableProps {
  readonly deliveries: readonly ListedDelivery[];
  /** True if all deliveries are to one subscription, which the screen names. */
  readonly isOfOne?: boolean;
  readonly ticks?: Column<ListedDelivery>;
}

export function DeliveryTable({ deliveries, isOfOne = false, ticks }: DeliveryTableProps) {
  const receivers = useReceivers(!isOfOne);
  const subscription: Column<ListedDelivery> = {
    name: "Subscription",
    cardLine: 2,
    cell: ({ subscriptionId }) => (
      <div className="lines">
        <ReceiverName id={subscriptionId} receivers={receivers} />
      </div>
    ),
  };
  const columns: Column<ListedDelivery>[] = [
    ...(ticks === undefined ? [] : [ticks]),
    {
      name: "Event",
      cell: ({ id, type }) => (
        <div className="lines lines-pair">
          <TextLink to="/deliveries/$deliveryId" params={{ deliveryId: id }} text={EVENT_TYPES[type]} />
          <code className="soft">{type}</code>
        </div>
      ),
    },
    { name: "About", cardLine: 3, cell: ({ subject }) => <Subject subject={subject} /> },
    { name: "Created", cardLine: 1, cell: ({ createdAt }) => <Time at={createdAt} /> },
    ...(isOfOne ? [] : [subscription]),
    { name: "Status", cardLine: 2, cell: (delivery) => <Status delivery={delivery} /> },
    {
      name: "Response",
      isMinor: "later",
      cardLine: 2,
      cell: ({ lastAttempt }) => <Response attempt={lastAttempt} />,
    },
    {
      name: "Duration",
      isNumber: true,
      isMinor: true,
      cell: ({ lastAttempt }) => lastAttempt && duration(lastAttempt.durationMs),
    },
    { name: "Attempts", isNumber: true, isMinor: true, cell: ({ attemptCount }) => attemptCount },
  ];
  return <Table caption="Deliveries" columns={columns} rows={deliveries} />;
}

function Response({ attempt }: { readonly attempt: ListedDelivery["lastAttempt"] }) {
  if (!attempt) return null;
  const { statusCode, outcome } = attempt;
  const text = outcomeText(outcome, statusCode);
  return (
    <span className={statusCode === null ? "soft clamped" : "number"} title={text}>
      {statusCode ?? text}
    </span>
  );
}

function Status({
  delivery: { status, attemptCount, nextAttemptAt },
}: {
  readonly delivery: ListedDelivery;
}) {
  return (
    <div className="lines lines-pair">
      <Badge {...DELIVERY_STATUSES[status]} />
      {status === "retrying" && nextAttemptAt !== null && (
        <span className="soft">
          attempt {attemptCount + 1} <Until at={nextAttemptAt} />
        </span>
      )}
    </div>
  );
}

interface ReceiverNameProps {
  readonly id: string;
  readonly receivers: Receivers;
  /** Given if the receiver is known to exist, because the list of receivers may be outdated. */
  readonly name?: string | undefined;
}

export function ReceiverName({ id, receivers, name }: ReceiverNameProps) {
  const receiver = receivers.find(id);
  if (!receiver && name !== undefined) return <bdi>{name}</bdi>;
  if (receiver === undefined) return <ShortId id={id} />;
  if (receiver === null)
    return (
      <span className="soft">
        Deleted <ShortId id={id} />
      </span>
    );
  if (receiver.kind === "listener")
    return (
      <>
        <bdi>{receiver.name}</bdi> <span className="soft">(listener)</span>
      </>
    );
  return <TextLink to="/webhooks/$subscriptionId" params={{ subscriptionId: id }} text={receiver.name} />;
}
