// An order's shipments, and which units are still to ship (interface §4). Pure.
import type { FieldFault } from "@tradepost/http";
import type { StoredShipments } from "../tables.ts";
import type { LineQuantity, Order, OrderLine, Shipment } from "./order-resource.ts";

/** In an order of 500 lines, a full shipment takes up to 30 KB in each response and event. */
export const SHIPMENTS_MAX = 50;

type Lines = readonly OrderLine[];

/** Returns a fault for each line that the order lacks, that is named twice, or that has fewer units left. */
export function lineFaults(
  wanted: readonly LineQuantity[],
  items: Lines,
  left: { readonly of: (line: OrderLine) => number; readonly are: string },
): FieldFault[] {
  const lines = new Map(items.map((line) => [line.id, line]));
  return wanted.flatMap(({ lineId, quantity }, index) => {
    const fault = (field: string, message: string) => [{ path: `lines[${index}].${field}`, message }];
    const line = lines.get(lineId);
    if (line === undefined) return fault("lineId", "is no line of the order");
    const first = wanted.findIndex((other) => other.lineId === lineId);
    if (first < index) return fault("lineId", `is the line of lines[${first}], too`);
    const most = left.of(line);
    return quantity > most ? fault("quantity", `must be at most ${most}, the units ${left.are}`) : [];
  });
}

export function unitsToShip(line: Pick<OrderLine, "quantity" | "fulfilledQuantity">): number {
  return line.quantity - line.fulfilledQuantity;
}

export function linesToShip(items: Lines): LineQuantity[] {
  return items
    .map((line) => ({ lineId: line.id, quantity: unitsToShip(line) }))
    .filter(({ quantity }) => quantity > 0);
}

export function addUnits(
  items: Lines,
  field: "fulfilledQuantity" | "refundedQuantity",
  added: readonly LineQuantity[],
): Lines {
  if (added.length === 0) return items;
  const units = new Map(added.map(({ lineId, quantity }) => [lineId, quantity]));
  return items.map((line) => ({ ...line, [field]: line[field] + (units.get(line.id) ?? 0) }));
}

export type ChangesByOlder = Readonly<
  Partial<Record<"order.fulfilled" | "order.delivered", { id: string; at: string }>>
>;

type ReadOrder = Pick<Order, "id" | "status" | "trackingNumber" | "carrier" | "updatedAt" | "items">;

/**
 * Returns the shipments, and the lines with their shipped units. If release 1.0.0 has fulfilled or delivered the order since `stored`
 * was written, the units left are a shipment, too, with id and times from `older`. The parcel of the latest shipment is the order's.
 */
export function readShipments(
  order: ReadOrder,
  stored: StoredShipments | null,
  older: ChangesByOlder | null,
): Pick<Order, "shipments" | "items"> {
  const list: Shipment[] = (stored?.list ?? []).map(({ lines, ...shipment }) => ({
    ...shipment,
    lines: lines.map(([position, quantity]) => ({ lineId: order.items[position - 1]?.id ?? "", quantity })),
  }));
  const items = list.reduce(
    (lines, shipment) => addUnits(lines, "fulfilledQuantity", shipment.lines),
    order.items,
  );
  const isOlder = stored?.status !== order.status && isShipped(order);
  const rest = isOlder ? linesToShip(items) : [];
  const changed = (type: keyof ChangesByOlder) => ({
    id: older?.[type]?.id ?? order.id,
    at: new Date(older?.[type]?.at ?? order.updatedAt),
  });
  const { id, at: shippedAt } = changed("order.fulfilled");
  const shipments = rest.length === 0 ? list : [...list, { id, lines: rest, shippedAt }];
  const deliveredAt = isOlder && order.status === "delivered" ? changed("order.delivered").at : undefined;
  const latest = { trackingNumber: order.trackingNumber, carrier: order.carrier };
  return {
    items: addUnits(items, "fulfilledQuantity", rest),
    shipments: shipments.map((one: Shipment, index) => ({
      ...{ ...one, deliveredAt: one.deliveredAt ?? deliveredAt },
      ...(index === shipments.length - 1 && latest),
    })),
  };
}

function isShipped({ status }: Pick<Order, "status">): boolean {
  return status === "fulfilled" || status === "delivered";
}

export function fulfillmentOf(order: Pick<Order, "status" | "shipments">): Order["fulfillment"] {
  if (isShipped(order)) return "all";
  return order.shipments.length === 0 ? "none" : "part";
}

export function storedShipments({
  status,
  items,
  shipments,
}: Pick<Order, "status" | "items" | "shipments">): string | null {
  if (shipments.length === 0) return null;
  const positions = new Map(items.map(({ id }, index) => [id, index + 1]));
  const list = shipments.map(({ lines, ...shipment }) => ({
    ...shipment,
    lines: lines.map(({ lineId, quantity }) => [positions.get(lineId), quantity]),
  }));
  return JSON.stringify({ status, list });
}
