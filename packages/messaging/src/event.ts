// An event as it stands on the broker: the envelope of contract §6, written by the relay and read by consumers.

import { isNestedDeeper, parseJson } from "@tradepost/runtime";
import { z } from "zod";

/** The durable topic exchange that every event of the platform goes through; the routing key is the event's type. */
export const EVENTS_EXCHANGE = "platform.events";

/** The durable topic exchange for entries of the tenants' audit log; the routing key is the action. */
export const AUDIT_EXCHANGE = "platform.audit";

// What Postgres cannot store is refused here: whoever consumes would meet it again and again.
const storable = z.string().refine((value) => !value.includes("\u0000"));

const eventSchema = z.object({
  id: z.uuid(),
  type: storable.min(1).max(255),
  tenant_id: z.uuid(),
  occurred_at: z.iso.datetime().refine((time) => !time.startsWith("0000")),
  request_id: storable,
  actor: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  data: z.custom<Record<string, unknown>>(
    (data) => typeof data === "object" && data !== null && !Array.isArray(data),
  ),
});

export type Event = z.output<typeof eventSchema>;

/**
 * In: a message's body. Out: the event, or in words what is wrong with it (contract §6).
 * Unknown fields of a newer publisher are let through and left out.
 */
export function decodeEvent(content: Buffer): { event: Event } | { fault: string } {
  const text = content.toString("utf8");
  // Whoever stores it writes it out again, and would overflow the stack at each try.
  if (isNestedDeeper(text)) return { fault: "the body is nested too deeply" };
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    return { fault: "the body is not JSON" };
  }
  const parsed = eventSchema.safeParse(json);
  if (parsed.success) return { event: parsed.data };
  const fields = parsed.error.issues.map((issue) => issue.path.join(".") || "body");
  return { fault: `not an event: ${[...new Set(fields)].join(", ")}` };
}
