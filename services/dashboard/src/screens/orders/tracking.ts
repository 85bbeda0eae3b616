// The tracking numbers of orders that are shipped together: from a file, and their faults. Pure.
import { readCsv } from "../../format/csv.ts";

interface Shipped {
  readonly id: string;
  readonly orderNumber: string;
  readonly externalId?: string;
}

interface Parcel {
  readonly trackingNumber: string;
  readonly carrier?: string;
}

interface Numbers {
  readonly parcels: ReadonlyMap<string, Parcel>;
  /** The orders of the file that are not shipped now. */
  readonly others: readonly string[];
}

const HEADINGS = {
  order: /order|bestell|auftrag|commande|pedido|ordin|referen/i,
  trackingNumber: /track|sendung|suivi|segui|tracciamento|spedizione/i,
  carrier: /carrier|versand|transport|corriere|mensajer/i,
};

/**
 * Reads a CSV file with the order number (or external id), the tracking number and, if the file has it, the carrier: by the names of
 * the columns, else in this sequence. The first line may be an order.
 */
export function readTracking(text: string, orders: readonly Shipped[]): Numbers | { readonly fault: string } {
  const csv = readCsv(text);
  if (csv === null) return { fault: "The file needs two columns: order number and tracking number." };
  if (csv.fault !== undefined) return { fault: csv.fault };
  const ids = new Map(
    orders.flatMap(({ id, orderNumber, externalId }) =>
      [externalId, orderNumber].flatMap((name) => (name === undefined ? [] : [[plain(name), id] as const])),
    ),
  );
  const isNamed = !csv.columns.some((name) => ids.has(plain(name)));
  const found = (name: keyof typeof HEADINGS, otherwise: number) => {
    const index = isNamed ? csv.columns.findIndex((column) => HEADINGS[name].test(column)) : -1;
    return index === -1 ? otherwise : index;
  };
  const tracking = found("trackingNumber", 1);
  const order = found("order", tracking === 0 ? 1 : 0);
  const carrier = found("carrier", 2);
  const parcels = new Map<string, Parcel>();
  const others: string[] = [];
  for (const cells of [...(isNamed ? [] : [csv.columns]), ...csv.rows.map((row) => row.cells)]) {
    const [name = "", trackingNumber = ""] = [cells[order], cells[tracking]];
    const id = ids.get(plain(name));
    if (trackingNumber === "") continue;
    if (id === undefined) others.push(name);
    else parcels.set(id, { trackingNumber, ...(cells[carrier] && { carrier: cells[carrier] }) });
  }
  return { parcels, others };
}

/** `1Z9 is entered for the orders 1001 and 1003`; undefined if every number differs. */
export function repeatedNumber(typed: readonly { orderNumber: string; text: string }[]): string | undefined {
  const byNumber = Map.groupBy(
    typed.filter(({ text }) => text !== ""),
    ({ text }) => text,
  );
  const [number, same = []] = [...byNumber].find(([, all]) => all.length > 1) ?? [];
  return number && `${number} is entered for the orders ${same.map((one) => one.orderNumber).join(" and ")}`;
}

function plain(orderNumber: string): string {
  return orderNumber.trim().replace(/^#/, "").toLowerCase();
}
