import { Link, useParams } from "@tanstack/react-router";
import type { DataOf, ItemOf } from "@tradepost/client/operations";
import { type ComponentProps, useEffect } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { LIVE_MS, useList, useRead } from "../../data/operations.ts";
import { addressLines } from "../../format/address.ts";
import { CHANNELS } from "../../format/order-words.ts";
import { number } from "../../format/shop.ts";
import { TextLink } from "../../ui/button.tsx";
import { CodeBlock, CopiedId } from "../../ui/code.tsx";
import { type Column, ListView, ReadView, Table } from "../../ui/list.tsx";
import { BehindTheScreen, Facts, Screen, Section } from "../../ui/screen.tsx";
import { Amount, Badge, ExactTime, Time } from "../../ui/value.tsx";
import { EventTable } from "../events/door.tsx";
import { OrderStatus } from "../order-list/door.tsx";
import { OrderActions } from "./order-actions.tsx";
import { Shipments } from "./shipments.tsx";
import { Timeline } from "./timeline.tsx";
import { Totals } from "./totals.tsx";
import "./order.css";

export default function Order() {
  const { orderId } = useParams({ from: "/app/orders/$orderId" });
  const input = { path: { id: orderId } };
  const read = useRead("getOrder", input, { everyMs: LIVE_MS });
  return (
    <Screen
      title={read.data === undefined ? "Order" : `Order ${read.data.orderNumber}`}
      figure={read.data && <Amount amount={read.data.payableTotal} currency={read.data.currency} />}
      intro={read.data && <OrderStatus {...read.data} />}
    >
      <ReadView read={read}>{(order) => <Details order={order} etag={read.etag} />}</ReadView>
      <BehindTheScreen operation="getOrder" input={input} />
    </Screen>
  );
}

function Details({ order, etag }: { readonly order: DataOf<"getOrder">; readonly etag: string | undefined }) {
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
          {order.shipments !== undefined && order.shipments.length > 0 && (
            <Shipments order={order} shipments={order.shipments} etag={etag} />
          )}
          <Payments list={payments} currency={order.currency} />
          <Timeline list={timeline} currency={order.currency} />
          <Webhooks orderId={order.id} />
        </div>
        <div className="column">
          <OrderFacts order={order} />
          <OrderNotes order={order} />
        </div>
      </div>
    </>
  );
}

/** Where the operator offers events of orders. */
function Webhooks({ orderId }: { readonly orderId: string }) {
  const isAllowed = useIsAllowed({ role: "viewer", module: "content" });
  const query = { resourceId: orderId };
  const { items = [] } = useList("listWebhookEvents", query, { isAllowed, everyMs: LIVE_MS });
  if (items.length === 0) return null;
  return (
    <Section title="Webhooks" intro="The events of this order, and their deliveries.">
      <EventTable events={items} />
      <p>
        <TextLink to="/events" search={query} text="All events of this order" />
      </p>
    </Section>
  );
}

/** Reads the history of the order again when its version changes. */
function useReadWith(version: number, first: () => unknown, second: () => unknown): void {
  useEffect(() => {
    // At first both are being read anyway. A read in progress is not repeated.
    if (version > 0) {
      void first();
      void second();
    }
  }, [version, first, second]);
}

type Line = DataOf<"getOrder">["items"][number];

function Lines({ order: { items, currency } }: { readonly order: DataOf<"getOrder"> }) {
  const amounts = (name: string, of: (line: Line) => number): Column<Line> => ({
    name,
    isNumber: true,
    cell: (line) => <Amount amount={of(line)} currency={currency} />,
  });
  const columns: Column<Line>[] = [
    { name: "Item", cell: (line) => <LineName line={line} /> },
    { name: "Quantity", isNumber: true, cell: ({ quantity }) => number(quantity) },
    amounts("Unit price", ({ unitPrice }) => unitPrice),
    amounts("Tax", ({ taxAmount }) => taxAmount),
    amounts("Amount", ({ subtotal }) => subtotal),
  ];
  return <Table caption="Items" columns={columns} rows={items} />;
}

function LineName({ line }: { readonly line: Line }) {
  const { sku, name, description, quantity, fulfilledQuantity = 0, refundedQuantity = 0 } = line;
  return (
    <div className="lines">
      <bdi>{name}</bdi>
      <Link to="/orders" search={{ sku }} title="Orders with this SKU">
        <code className="soft">{sku}</code>
      </Link>
      {fulfilledQuantity > 0 && fulfilledQuantity < quantity && (
        <span className="soft">
          {number(fulfilledQuantity)} of {number(quantity)} shipped
        </span>
      )}
      {refundedQuantity > 0 && <span className="soft">{number(refundedQuantity)} refunded</span>}
      {description !== undefined && <bdi className="soft">{description}</bdi>}
    </div>
  );
}

type Payment = ItemOf<"listPayments">;

interface PaymentsProps {
  readonly list: ComponentProps<typeof ListView<Payment>>["list"];
  readonly currency: string;
}

function Payments({ list, currency }: PaymentsProps) {
  const columns: Column<Payment>[] = [
    {
      name: "What",
      cell: ({ kind, status }) =>
        status === "failed" ? (
          <Badge tone="danger">Payment failed</Badge>
        ) : kind === "refund" ? (
          <Badge tone="warning">Refund</Badge>
        ) : (
          <Badge tone="good">Payment</Badge>
        ),
    },
    { name: "When", cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: "Reference",
      cell: ({ reference, reason }) => (
        <div className="lines">
          {reference === null ? <span className="soft">None</span> : <code>{reference}</code>}
          {reason !== null && <bdi className="soft">{reason}</bdi>}
        </div>
      ),
    },
    { name: "Amount", isNumber: true, cell: ({ amount }) => <Amount amount={amount} currency={currency} /> },
  ];
  return (
    <Section title="Payments and refunds">
      <ListView list={list} empty={<p className="soft">No payment is recorded yet.</p>}>
        {(payments) => <Table caption="Payments and refunds" columns={columns} rows={payments} />}
      </ListView>
    </Section>
  );
}

function OrderFacts({ order }: { readonly order: DataOf<"getOrder"> }) {
  const { id, customerId, channel, externalId, propertyId, placedAt, createdAt, updatedAt } = order;
  const { shippingAddress, billingAddress, cancelReason } = order;
  return (
    <Facts
      label="This order"
      of={{
        Customer: <Customer id={customerId} />,
        Channel: CHANNELS[channel],
        Placed: <ExactTime at={placedAt ?? createdAt} />,
        "Last changed": updatedAt !== createdAt && <ExactTime at={updatedAt} />,
        "Cancelled because": cancelReason,
        "Ship to": <Address address={shippingAddress} />,
        "Bill to": <Address address={billingAddress} />,
        "External id": externalId && <CopiedId id={externalId} what="external id" />,
        "Placed on": propertyId && <code>{propertyId}</code>,
        "Order id": <CopiedId id={id} what="order id" />,
      }}
    />
  );
}

function Customer({ id }: { readonly id: string }) {
  const { data } = useRead("getCustomer", { path: { id } });
  return (
    <>
      <TextLink to="/customers/$customerId" params={{ customerId: id }} text={data?.name ?? "…"} />
      {data?.email !== undefined && <p className="soft">{data.email}</p>}
    </>
  );
}

function Address({ address }: { readonly address: DataOf<"getOrder">["shippingAddress"] }) {
  if (address === undefined) return <span className="soft">No address</span>;
  return <p className="order-text">{addressLines(address).join("\n")}</p>;
}

function OrderNotes({ order }: { readonly order: DataOf<"getOrder"> }) {
  const { customerNote, internalNote, metadata } = order;
  return (
    <>
      <Section title="Notes">
        <Facts
          label="What was written"
          of={{
            "Customer’s note": <Note text={customerNote} />,
            "Internal note": <Note text={internalNote} />,
          }}
        />
      </Section>
      {metadata !== undefined && (
        <Section title="Metadata">
          <CodeBlock text={JSON.stringify(metadata, null, 2)} what="the metadata" />
        </Section>
      )}
    </>
  );
}

function Note({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return <span className="soft">None</span>;
  return (
    <p className="order-text" dir="auto">
      {text}
    </p>
  );
}
