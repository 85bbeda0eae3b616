// One order: its lines, totals and history, and the actions that are possible now.
import { useParams } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useEffect } from "react";
import { useList } from "../../data/use-list.ts";
import { useRead } from "../../data/use-read.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ReadView } from "../../ui/views.tsx";
import { OrderStatus } from "../order-list/door.ts";
import { Lines } from "./lines.tsx";
import { OrderActions } from "./order-actions.tsx";
import { OrderFacts } from "./order-facts.tsx";
import { OrderNotes } from "./order-notes.tsx";
import { Payments } from "./payments.tsx";
import { Timeline } from "./timeline.tsx";
import { Totals } from "./totals.tsx";
import "./order.css";

const LIVE_MS = 5_000;

export default function Order() {
  const { orderId } = useParams({ from: "/app/orders/$orderId" });
  const input = { path: { id: orderId } };
  const read = useRead("getOrder", input, { everyMs: LIVE_MS });
  return (
    <Screen
      title={read.data === undefined ? "Order" : `Order ${read.data.orderNumber}`}
      intro={read.data === undefined ? undefined : <OrderStatus {...read.data} />}
    >
      <ReadView read={read}>{(order) => <Details order={order} etag={read.etag} />}</ReadView>
      <BehindTheScreen operation="getOrder" input={input} />
    </Screen>
  );
}

interface DetailsProps {
  readonly order: DataOf<"getOrder">;
  readonly etag: string | undefined;
}

function Details({ order, etag }: DetailsProps) {
  const path = { id: order.id };
  const timeline = useList("getOrderTimeline", undefined, { path });
  const payments = useList("listPayments", undefined, { path });
  useReadWith(order.version, timeline.refetch, payments.refetch);
  return (
    <>
      <OrderActions order={order} etag={etag} timeline={timeline.items ?? []} />
      <div className="columns">
        <div className="column">
          <Lines order={order} />
          <Totals order={order} />
          <Payments list={payments} currency={order.currency} />
          <Timeline list={timeline} currency={order.currency} />
        </div>
        <div className="column">
          <OrderFacts order={order} />
          <OrderNotes order={order} />
        </div>
      </div>
    </>
  );
}

/** Reads the history of the order again when its version changes. */
function useReadWith(version: number, ...reads: readonly [() => unknown, () => unknown]): void {
  const [first, second] = reads;
  useEffect(() => {
    // At first both are being read anyway. A read in progress is not repeated.
    if (version > 0) {
      void first();
      void second();
    }
  }, [version, first, second]);
}
