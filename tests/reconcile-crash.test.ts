// Kills the webhooks service with SIGKILL while it reconciles the deliveries of a resumed or deleted subscription, after the
// second of several batches, and starts it again. It continues with the next batch.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { type CrashPlatform, startCrashPlatform } from "./support/crash-platform.ts";
import { newCrashTenant } from "./support/crash-tenant.ts";

const FAIL_AT = "reconcile.batch-committed:2";
// More than two batches.
const MORE = 3_500;

// Adds paused deliveries as fan-out creates them, each with its own event.
const COPY_PAUSED = `
  with original as (
    select * from deliveries where tenant_id = $1 order by id limit 1
  ), copied_events as (
    insert into events (tenant_id, id, type, occurred_at, request_id, data, matched)
    select events.tenant_id, gen_random_uuid(), events.type, occurred_at, request_id, data, 1
      from events join original on events.id = event_id, generate_series(1, $2)
    returning id
  )
  insert into deliveries (tenant_id, id, subscription_id, event_id, type, status)
  select tenant_id, gen_random_uuid(), subscription_id, copied_events.id, type, 'paused' from original, copied_events`;

describe("a process that dies during a reconciliation", () => {
  let platform: CrashPlatform;

  beforeAll(async () => {
    platform = await startCrashPlatform();
  });

  afterAll(() => platform.stop());

  test.each([
    ["resumed", "delivered"],
    ["deleted", "cancelled"],
  ] as const)(
    "of a %s subscription leaves the rest to the next process, and all deliveries end %s",
    async (change, end) => {
      const tenant = await newCrashTenant(platform, "paused");
      await tenant.createRedirects();
      await tenant.untilSettled("paused");
      await platform.webhooks.query(COPY_PAUSED, [tenant.id, MORE]);
      const { ended } = platform.failAt("webhooks", FAIL_AT);
      await (change === "resumed" ? tenant.resume() : tenant.unsubscribe());
      expect(await ended).toBe("signal SIGKILL");
      const { rows: left } = await platform.webhooks.query(
        "select 1 from deliveries where tenant_id = $1 and status = 'paused'",
        [tenant.id],
      );
      expect(left.length).toBeGreaterThan(0);

      await tenant.expireLocks();
      await platform.startAgain("webhooks");
      await until("the end of the reconciliation", async () => {
        const { rows } = await platform.webhooks.query("select 1 from reconciliations");
        return rows.length === 0;
      });
      await tenant.untilSettled(end);
      const deliveries = await tenant.deliveries();
      expect(deliveries).toHaveLength(tenant.redirectCount() + MORE);
      const counts = tenant.requestCounts();
      const expected = end === "delivered" ? deliveries.map(({ id }) => `${id} 1`).sort() : [];
      expect([...counts.keys()].sort()).toEqual(expected);
      // A request that was in flight when the process died is sent twice.
      expect(Math.max(0, ...counts.values())).toBeLessThanOrEqual(2);
      await until(
        "an empty queue",
        async () => (await platform.channel.checkQueue("webhooks.deliveries")).messageCount === 0,
      );
    },
  );
});
