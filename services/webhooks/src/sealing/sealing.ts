// The door of this wing: the keys that seal secrets at rest.
import { retryWhileUnavailable } from "@tradepost/postgres";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { checkSealingKeys } from "./check-sealing-keys.ts";
import { createSealing, type Sealing } from "./seal.ts";
import { type SealingSettings, sealingKeysOf } from "./sealing-keys.ts";

export { resealAll, type Unopened } from "./reseal.ts";
export { ownerOfHeaders, ownerOfSecret, type Sealing, SealingError } from "./seal.ts";
export { hasSealingKey, readSealingKeys, sealingSettings } from "./sealing-keys.ts";

/** Returns the sealing once its keys open the stored values, unless a setting says that a key is lost. */
export async function checkedSealing(
  settings: SealingSettings & { readonly WEBHOOKS_SEALING_KEY_LOST: boolean },
  { db, metrics, logger }: { db: Kysely<Tables>; metrics: Metrics; logger: Logger },
): Promise<Sealing> {
  const failures = metrics.counter(
    "webhooks_sealing_failures_total",
    "Times that a signing secret or own headers could not be opened with the sealing keys.",
  );
  const keys = sealingKeysOf(settings);
  const sealing = createSealing(keys, () => failures.inc());
  if (!settings.WEBHOOKS_SEALING_KEY_LOST)
    await retryWhileUnavailable(logger, () => checkSealingKeys(db, keys));
  return sealing;
}
