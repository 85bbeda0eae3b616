// The id of an order's line. It follows from the order's id and the line's position, which never change, so it is not stored.
// Pure.

const DIGITS = 4;

/** Returns a UUID that no other line and no order has. `position` counts from 1 and has at most 16 bits. */
export function lineId(orderId: string, position: number): string {
  // The last bits of an order's id are random. Two ids that differ in these bits only would take a collision of the others.
  const last = Number.parseInt(orderId.slice(-DIGITS), 16) ^ position;
  return orderId.slice(0, -DIGITS) + last.toString(16).padStart(DIGITS, "0");
}
