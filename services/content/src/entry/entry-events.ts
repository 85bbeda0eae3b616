// Writes the events of an entry into the outbox. Each payload is fixed in the transaction that changes the entry.
import { type Cause, outboxRow } from "@tradepost/messaging";
import type { Tenant } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";
import type { Entry } from "./entry.ts";

export async function insertEntryEvent(
  { db }: Tenant<Tables>,
  type: `content.entry.${string}`,
  entry: Entry,
  cause: Cause,
): Promise<void> {
  await db
    .insertInto("outbox")
    .values(outboxRow(type, entry.id, { entry }, cause))
    .execute();
}

export async function insertRevisionEvent(
  { db }: Tenant<Tables>,
  { id, revision, slug, data }: Entry,
  cause: Cause,
): Promise<void> {
  const payload = { revision: { entryId: id, revision, slug, data } };
  await db
    .insertInto("outbox")
    .values(outboxRow("content.revision.created", id, payload, cause))
    .execute();
}
