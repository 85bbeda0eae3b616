// Functions behind the operators' commands. HTTP does not reach them.
import type { Readable } from "node:stream";
import { type Kysely, sql } from "kysely";
import { mediaSettings } from "./config.ts";
import { ALL_FILES, FileNotFound, fileKey, openStorage } from "./media/media.ts";
import type { Tables } from "./tables.ts";

export type { Tables } from "./tables.ts";

export type ReadMediaFile = (key: string) => Promise<Readable | null>;

export async function openMediaFiles(
  environment: Record<string, string | undefined>,
): Promise<ReadMediaFile> {
  const storage = await openStorage(mediaSettings.parse(environment));
  return async (key) => {
    try {
      return await storage.get(key);
    } catch (error) {
      if (error instanceof FileNotFound) return null;
      throw error;
    }
  };
}

export function mediaFileKeys(
  tenantId: string,
  { id, variants }: { id: string; variants: readonly { name: string }[] },
): string[] {
  return [fileKey(tenantId, id), ...variants.map(({ name }) => fileKey(tenantId, id, name))];
}

/** The running service deletes the files within seconds. Call this before the assets are deleted. An upload in progress fails. */
export async function leaveFiles(db: Kysely<Tables>, tenantId: string): Promise<void> {
  await sql`
    insert into storage_leftovers (tenant_id, media_id, remove_at)
    select tenant_id, id, greatest(now(), processing_until) from media where tenant_id = ${tenantId}
    on conflict do nothing`.execute(db);
}

/** The running service deletes the folder. Call this when no other leftovers remain. */
export async function leaveFolder(db: Kysely<Tables>, tenantId: string): Promise<void> {
  await sql`
    insert into storage_leftovers (tenant_id, media_id, remove_at) values (${tenantId}, ${ALL_FILES}, now())
    on conflict do nothing`.execute(db);
}

export async function countLeftovers(db: Kysely<Tables>, tenantId: string) {
  const { rows } = await sql<{ count: number; lastDueAt: Date | null }>`
    select count(*)::int as count, max(remove_at) as "lastDueAt"
      from storage_leftovers where tenant_id = ${tenantId}`.execute(db);
  return rows[0] ?? { count: 0, lastDueAt: null };
}
