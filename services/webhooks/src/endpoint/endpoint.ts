// The door of this wing: where requests go, and the secrets that sign them, sealed at rest.
import { retryWhileUnavailable } from "@tradepost/postgres";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { checkSealingKeys } from "./check-sealing-keys.ts";
import { createSealing, type Sealing } from "./sealing.ts";
import { type SealingSettings, sealingKeysOf } from "./sealing-keys.ts";

export { type AddressGuard, AddressRefused, addressGuard } from "./address.ts";
export * as ownHeaders from "./headers.ts";
export { resealAll } from "./reseal.ts";
export { SealingError } from "./seal.ts";
export type { Sealing } from "./sealing.ts";
export { hasSealingKey, readSealingKeys, sealingSettings } from "./sealing-keys.ts";
export { signatureHeaders, signingKeys } from "./signature.ts";
export { DOWN_FROM_FAILURES, IN_TIME_MS, NEW_STANDING, type Standing, standingAfter } from "./standing.ts";
export { urlInput } from "./url-input.ts";

export interface Addressed {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly url: string;
  readonly secretSealed: Buffer;
  /** During the overlap after a rotation. */
  readonly previousSecretSealed: Buffer | null;
  readonly headersSealed: Buffer | null;
}

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
