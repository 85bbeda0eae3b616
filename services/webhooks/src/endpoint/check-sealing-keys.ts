// Checks at the start that the sealing keys open the stored values: otherwise a replica with a wrong key would be ready, and delay
// each delivery that it takes.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { StartError } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { createSealer, keyIdOf, nameOf, type SealingKeys } from "./seal.ts";
import { ownerOfHeaders, ownerOfSecret } from "./sealing.ts";

// Not all: after the loss of a key, older values remain that no key opens.
const NEWEST_CHECKED = 5;

interface Stored {
  readonly tenantId: string;
  readonly id: string;
  readonly kind: "secret" | "headers";
  readonly value: Buffer;
  readonly keyId: string | null;
}

/**
 * Leaves out the canary's secret, which the canary replaces.
 * @throws StartError if the keys open none of the newest values that one key sealed.
 */
export async function checkSealingKeys(db: Kysely<Tables>, keys: SealingKeys): Promise<void> {
  const { rows } = await newestOfEachKey.execute(db);
  const sealing = createSealer(keys);
  const opens = ({ kind, tenantId, id, value }: Stored) => {
    try {
      sealing.open(value, kind === "secret" ? ownerOfSecret(tenantId, id) : ownerOfHeaders(tenantId, id));
      return true;
    } catch {
      return false;
    }
  };
  for (const [keyId, stored] of Map.groupBy(rows, ({ keyId }) => keyId)) {
    if (stored.some(opens)) continue;
    throw new StartError(
      `Signing secrets in the database were sealed with ${nameOf(keyId)}, and no key of WEBHOOKS_SEALING_KEYS and ` +
        "WEBHOOKS_SEALING_KEY opens them: put that key back. If it is lost, set WEBHOOKS_SEALING_KEY_LOST=true.",
    );
  }
}

const newestOfEachKey = sql<Stored>`
  with stored as (
    select tenant_id, id, created_at, kind, value, ${keyIdOf("value")} as key_id
      from subscriptions
     cross join lateral (values
             ('secret', secret_sealed),
             ('secret', case when previous_secret_until > now() then previous_secret_sealed end),
             ('headers', headers_sealed)) as sealed (kind, value)
     where value is not null and tenant_id <> ${CANARY_TENANT_ID}
  ), ranked as (
    select *, row_number() over (partition by key_id order by created_at desc, id desc) as place from stored
  )
  select tenant_id as "tenantId", id, kind, value, key_id as "keyId" from ranked where place <= ${NEWEST_CHECKED}`;
