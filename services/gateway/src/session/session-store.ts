// Opens the session that a sign-in begins; tokens and the refresh cookie live no longer than it does.
import { createHash, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { v7 as uuidv7 } from "uuid";
import type { Tables } from "../tables.ts";

/** How long a sign-in lasts without a new password. */
export const SESSION_DAYS = 30;

/** Out: the session's id, and the refresh secret of which only the hash is kept. */
export async function openSession(
  db: Kysely<Tables>,
  user: { tenantId: string; id: string },
): Promise<{ id: string; refreshSecret: string }> {
  const id = uuidv7();
  const refreshSecret = randomBytes(32).toString("base64url");
  await db
    .insertInto("sessions")
    .values({
      tenant_id: user.tenantId,
      id,
      user_id: user.id,
      refresh_hash: createHash("sha256").update(refreshSecret).digest(),
      expires_at: new Date(Date.now() + SESSION_DAYS * 24 * 3_600_000),
    })
    .execute();
  return { id, refreshSecret };
}
