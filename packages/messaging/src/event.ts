import { isNestedDeeper, parseJson } from "@tradepost/json";
import { z } from "zod";

/** The durable topic exchange of all events; the routing key is the event's type (interface §6). */
export const EVENTS_EXCHANGE = "platform.events";

/** The durable topic exchange of entries for tenants' audit logs; the routing key is the action (interface §6). */
export const AUDIT_EXCHANGE = "platform.audit";

// Postgres cannot store U+0000, so retrying would never succeed.
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

/** Decodes a message's body. Unknown fields, which a newer publisher may add, are left out (interface §6). */
export function decodeEvent(content: Buffer): { event: Event } | { fault: string } {
  const text = content.toString("utf8");
  // Serialising a value that is nested more deeply would overflow the stack on each retry.
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
