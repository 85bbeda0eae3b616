// An entry of another service for the audit log, as its message on the broker.
import { decodeEvent, type Event } from "@tradepost/messaging";
import { z } from "zod";

const entryData = z.object({
  target: z.object({ type: z.string(), id: z.string() }),
  changes: z.record(z.string(), z.unknown()),
  // A service of version 0.2.0 does not send it.
  client: z
    .object({ ip: z.ipv4().or(z.ipv6()).nullable(), userAgent: z.string().max(1_000).nullable() })
    .optional()
    .catch(undefined),
});

type Entry = { readonly event: Event; readonly data: z.output<typeof entryData> };

/** Returns the entry, or why the message is not one. */
export function decodeAuditEntry(content: Buffer): Entry | { readonly fault: string } {
  const decoded = decodeEvent(content);
  if ("fault" in decoded) return decoded;
  const data = entryData.safeParse(decoded.event.data);
  if (data.success) return { event: decoded.event, data: data.data };
  const fields = data.error.issues.map((issue) => ["data", ...issue.path].join("."));
  return { fault: `not an audit entry: ${[...new Set(fields)].join(", ")}` };
}

/** Why a message in gateway.audit cannot be read. Returns null if it can. */
export function auditEntryFault(content: Buffer): string | null {
  const decoded = decodeAuditEntry(content);
  return "fault" in decoded ? decoded.fault : null;
}
