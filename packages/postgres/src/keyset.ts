// The one condition behind every page of a list: keyset by (created_at, id), newest first, never OFFSET (contract §1).
import { type RawBuilder, sql } from "kysely";

/** In: where the last page ended, or null for the first. Out: a condition for a WHERE. */
export function isOlderThan(position: { createdAt: Date; id: string } | null): RawBuilder<boolean> {
  return position === null ? sql`true` : sql`(created_at, id) < (${position.createdAt}, ${position.id})`;
}
