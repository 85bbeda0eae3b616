// Waits for the webhooks service without sending requests to it.
import type { Platform } from "@tradepost/devstack";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, sleep } from "@tradepost/runtime";

const POLL_MS = 100;

/** Resolves when these tenants have no open delivery. */
export function untilOver(platform: Platform, tenantIds: readonly string[]): Promise<void> {
  return poll(
    platform,
    "select not exists (select from deliveries where tenant_id = any($1::uuid[])) as done",
    [tenantIds],
  );
}

/** Resolves when this tenant has `count` events. An event is stored together with its deliveries. */
export function untilFannedOut(platform: Platform, tenantId: string, count: number): Promise<void> {
  return poll(platform, "select count(*) >= $2 as done from events where tenant_id = $1", [tenantId, count]);
}

async function poll({ databases }: Platform, text: string, values: readonly unknown[]): Promise<void> {
  const logger = createLogger("bench", "silent");
  const { pool, stop } = connectPostgres({
    url: databases.webhooks,
    name: "bench",
    connectionsMax: 1,
    logger,
  });
  try {
    for (;;) {
      const { rows } = await pool.query<{ done: boolean }>(text, [...values]);
      if (rows[0]?.done === true) return;
      await sleep(POLL_MS);
    }
  } finally {
    await stop();
  }
}
