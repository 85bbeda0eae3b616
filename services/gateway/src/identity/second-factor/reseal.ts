// Seals second factors again after a rotation of TOKEN_SIGNING_KEYS (docs/runbooks/rotating-secrets.md). Replicas repeat it,
// because a replica not restarted yet still seals with the old key.
import { NO_ID } from "@tradepost/http";
import { type Logger, type Repetition, repeatOrWarn } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../tables.ts";
import type { SecretSealing } from "./secret-sealing.ts";

const BATCH = 200;
const CHECK_EVERY_MS = 10 * 60 * 1_000;

export function startResealing(db: Kysely<Tables>, sealing: SecretSealing, logger: Logger): Repetition {
  return repeatOrWarn(
    logger,
    "second factors could not be sealed again; retrying",
    CHECK_EVERY_MS,
    async () => {
      const count = await resealSecrets(db, sealing);
      if (count > 0)
        logger.info({ count, key: sealing.sealsWith }, "second factors sealed with the first signing key");
      return CHECK_EVERY_MS;
    },
  );
}

/** Secrets that no key opens remain as they are. */
async function resealSecrets(db: Kysely<Tables>, sealing: SecretSealing): Promise<number> {
  let count = 0;
  for (const keyId of sealing.alsoOpens) count += await resealSecretsOf(db, sealing, keyId);
  return count;
}

async function resealSecretsOf(db: Kysely<Tables>, sealing: SecretSealing, keyId: string): Promise<number> {
  let count = 0;
  let last = { tenantId: NO_ID, userId: NO_ID };
  for (;;) {
    const rows = await db
      .selectFrom("second_factors")
      .select(["tenant_id as tenantId", "user_id as userId", "secret_sealed as sealed"])
      .where("sealed_with", "=", keyId)
      .where(sql<boolean>`(tenant_id, user_id) > (${last.tenantId}, ${last.userId})`)
      .orderBy("tenant_id")
      .orderBy("user_id")
      .limit(BATCH)
      .execute();
    for (const row of rows) if (await resealRow(db, sealing, row)) count += 1;
    const end = rows.at(-1);
    if (end === undefined || rows.length < BATCH) return count;
    last = end;
  }
}

/** Changes nothing if the user has set up another secret since. */
async function resealRow(
  db: Kysely<Tables>,
  sealing: SecretSealing,
  row: { readonly tenantId: string; readonly userId: string; readonly sealed: Buffer },
): Promise<boolean> {
  const secret = sealing.open(row.sealed, row);
  if (secret === null) return false;
  const { sealed, sealedWith } = sealing.seal(secret, row);
  const { numUpdatedRows } = await db
    .updateTable("second_factors")
    .set({ secret_sealed: sealed, sealed_with: sealedWith })
    .where("tenant_id", "=", row.tenantId)
    .where("user_id", "=", row.userId)
    .where("secret_sealed", "=", row.sealed)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
