// The ids of deliveries and events. A delivery's id is derived from its event and its subscription: if a database is restored or
// events are published again, the same deliveries get the same ids, and receivers recognise them (interface §7). Pure.
import { hash } from "node:crypto";

const MILLISECONDS_MAX = 2 ** 48 - 1;

/**
 * Returns a UUID of version 7 that begins with the time and the sequence of the event's id (or with `occurredAt`, if the id contains no
 * time), so that deliveries have the order of their events; the other 42 bits are a hash of both ids.
 */
export function deliveryIdOf(
  { id: eventId, occurredAt }: { readonly id: string; readonly occurredAt: Date },
  subscriptionId: string,
): string {
  const event = bytesOf(eventId);
  const id = hash("sha256", Buffer.concat([event, bytesOf(subscriptionId)]), "buffer").subarray(0, 16);
  if (isVersion7(event)) {
    // The sequence ends within the eleventh byte (`newId`).
    const [shared = 0, own = 0] = [event[10], id[10]];
    event.copy(id, 0, 0, 10);
    id[10] = (shared & 0xfc) | (own & 0x03);
  } else {
    id.writeUIntBE(Math.min(Math.max(0, occurredAt.getTime()), MILLISECONDS_MAX), 0, 6);
    id[6] = ((id[6] ?? 0) & 0x0f) | 0x70;
    id[8] = ((id[8] ?? 0) & 0x3f) | 0x80;
  }
  const hex = id.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

function isVersion7(uuid: Buffer): boolean {
  return (uuid[6] ?? 0) >> 4 === 7 && (uuid[8] ?? 0) >> 6 === 2;
}

/** Returns the smallest UUID of version 7 at a time. */
export function firstIdAt(time: Date): string {
  const milliseconds = time.getTime().toString(16).padStart(12, "0");
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-0000-0000-000000000000`;
}

/** Event ids come from outside this service, and two tenants may have the same one. */
export function eventKey(tenantId: string, eventId: string): string {
  return `${tenantId}.${eventId}`.toLowerCase();
}
