// Orders on paper: as packing slips, for the parcel, or as receipts, for the customer. Each begins a page.
import type { DataOf } from "@tradepost/client/operations";
import { type ReactNode, useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import type { Customers } from "../../data/use-names.ts";
import { addressLines, senderLines } from "../../format/address.ts";
import { ORDER_STATUSES, PAYMENT_STATUSES } from "../../format/order-words.ts";
import { number, shop } from "../../format/shop.ts";
import { absoluteTime } from "../../format/time.ts";
import { counted } from "../../format/words.ts";
import { Amount } from "../../ui/value.tsx";
import { Totals } from "./totals.tsx";
import "./order.css";
import "./printed-orders.css";

type Order = DataOf<"getOrder">;

type PaperKind = "slip" | "receipt";

/** Prints orders, which are not shown on the screen. The component must render `paper`. */
export function usePrinter() {
  const [paper, setPaper] = useState<ReactNode>(null);
  useEffect(() => {
    const clear = () => setPaper(null);
    addEventListener("afterprint", clear);
    return () => removeEventListener("afterprint", clear);
  }, []);
  return {
    printOrders: (kind: PaperKind, orders: readonly Order[], customers: Customers) => {
      // The browser prints the page as it is at the call.
      flushSync(() =>
        setPaper(
          orders.map((order) => (
            <PrintedOrder
              key={order.id}
              kind={kind}
              order={order}
              customer={customers.get(order.customerId)}
            />
          )),
        ),
      );
      print();
    },
    paper: paper !== null && createPortal(<div className="paper">{paper}</div>, document.body),
  };
}

interface PaperProps {
  readonly order: Order;
  readonly customer: Pick<DataOf<"getCustomer">, "name" | "email"> | undefined;
}

function PrintedOrder({ kind, ...printed }: PaperProps & { readonly kind: PaperKind }) {
  return (
    <article className="printed-order">
      <header>
        <p className="order-text printed-sender">
          <bdi>{senderLines(shop()).join("\n")}</bdi>
        </p>
        <span>{kind === "slip" ? "Packing slip" : "Receipt"}</span>
      </header>
      <h1>
        Order <bdi>{printed.order.orderNumber}</bdi>
      </h1>
      {kind === "slip" ? <Slip {...printed} /> : <Receipt {...printed} />}
    </article>
  );
}

function Slip({ order, customer }: PaperProps) {
  const { carrier, trackingNumber, customerNote, shipments } = order;
  // Once something is shipped, the slip is for the latest parcel.
  const parcel = new Map(shipments?.at(-1)?.lines.map(({ lineId, quantity }) => [lineId, quantity]));
  const items = order.items.flatMap((line) => {
    const quantity = parcel.size === 0 ? line.quantity : (parcel.get(line.id) ?? 0);
    return quantity === 0 ? [] : [{ ...line, quantity }];
  });
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <>
      <div className="printed-facts">
        <Address title="Ship to" address={order.shippingAddress} name={customer?.name} />
        <Fact title="Placed" text={absoluteTime(order.placedAt ?? order.createdAt)} />
        {carrier !== undefined && <Fact title="Carrier" text={carrier} />}
        {trackingNumber !== undefined && <Fact title="Tracking number" text={trackingNumber} />}
      </div>
      <Lines
        lines={items}
        columns={{
          Quantity: ({ quantity }) => number(quantity),
          SKU: ({ sku }) => sku,
          Item: ({ name }) => <bdi>{name}</bdi>,
        }}
      />
      <p>{counted(count, "item")} in all</p>
      {customerNote !== undefined && <Fact title="Customer’s note" text={customerNote} />}
    </>
  );
}

function Receipt({ order, customer }: PaperProps) {
  const { items, currency, status, paymentStatus, taxSummary = [] } = order;
  return (
    <>
      <div className="printed-facts">
        <Address
          title="Bill to"
          address={order.billingAddress ?? order.shippingAddress}
          name={customer?.name}
        />
        <Fact title="Placed" text={absoluteTime(order.placedAt ?? order.createdAt)} />
        <Fact
          title="State"
          text={`${ORDER_STATUSES[status].text}, ${PAYMENT_STATUSES[paymentStatus].text.toLowerCase()}`}
        />
        {customer?.email !== undefined && <Fact title="E-mail" text={customer.email} />}
      </div>
      <Lines
        lines={items}
        columns={{
          Item: ({ name, sku }) => (
            <>
              <bdi>{name}</bdi> <span className="soft">{sku}</span>
            </>
          ),
          Quantity: ({ quantity }) => number(quantity),
          "Unit price": ({ unitPrice }) => <Amount amount={unitPrice} currency={currency} />,
          Amount: ({ subtotal }) => <Amount amount={subtotal} currency={currency} />,
        }}
      />
      <Totals order={order} />
      {taxSummary.length > 0 && (
        <ul className="printed-taxes">
          {taxSummary.map(({ name, rate, amount }) => (
            <li key={`${name} ${rate}`}>
              Includes {name} {rate} %: <Amount amount={amount} currency={currency} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const NUMBERS = ["Quantity", "Unit price", "Amount"];

interface LinesProps {
  readonly lines: Order["items"];
  readonly columns: Readonly<Record<string, (line: Order["items"][number]) => ReactNode>>;
}

function Lines({ lines, columns }: LinesProps) {
  const classOf = (name: string) => (NUMBERS.includes(name) ? "number" : undefined);
  return (
    <table>
      <thead>
        <tr>
          {Object.keys(columns).map((name) => (
            <th key={name} scope="col" className={classOf(name)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            {Object.entries(columns).map(([name, cell]) => (
              <td key={name} className={classOf(name)}>
                {cell(line)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface AddressProps {
  readonly title: string;
  readonly address: Order["shippingAddress"];
  /** The customer's name, in place of a name in the address. */
  readonly name: string | undefined;
}

function Address({ title, address, name }: AddressProps) {
  const lines = address === undefined ? [] : addressLines(address);
  const withName = name === undefined || address?.name !== undefined ? lines : [name, ...lines];
  return <Fact title={title} text={withName.join("\n")} />;
}

function Fact({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div>
      <h2>{title}</h2>
      <p className="order-text" dir="auto">
        {text}
      </p>
    </div>
  );
}
