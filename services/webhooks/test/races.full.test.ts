// Events of several tenants fan out while attempts fail and succeed and subscriptions are paused and resumed. Nothing is
// lost, nothing is delivered twice, and no transactions deadlock.
import { randomInt } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { sleep } from "@tradepost/runtime";
import { type Receiver, until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";
import type { TestTenant, TestWebhooks } from "./support/webhooks.ts";

const TENANTS = 3;
const SUBSCRIPTIONS_PER_TENANT = 4;
const EVENTS_PER_TENANT = 100;

describe("with concurrent events, attempts, pauses and resumes", () => {
  let webhooks: TestWebhooks;
  let receiver: Receiver;

  useWebhooks(
    {
      WEBHOOKS_RETRY_SCHEDULE: Array(12).fill("20ms").join(","),
      WEBHOOKS_SWEEP_GRACE_MS: "300",
    },
    (fixture) => {
      ({ webhooks, receiver } = fixture);
    },
  );

  test("every event is delivered once, also those of subscriptions that are paused and resumed", async () => {
    const succeeded: string[] = [];
    receiver.behave(({ headers }) => {
      // Most first attempts fail; no last attempt fails.
      if (Number(headers["x-service-attempt"]) < 6 && randomInt(2) === 0) return 503;
      succeeded.push(String(headers["x-service-delivery"]));
      return 200;
    });
    const tenants = Array.from({ length: TENANTS }, () => webhooks.tenant());
    const subscriptions = await Promise.all(
      tenants.map(async (tenant) => {
        const urls = Array.from(
          { length: SUBSCRIPTIONS_PER_TENANT },
          (_, index) => `${receiver.url}/${index}`,
        );
        return { tenant, ids: await Promise.all(urls.map(async (url) => (await tenant.subscribe(url)).id)) };
      }),
    );

    let isEmitting = true;
    const statuses: number[] = [];
    const flip = async (tenant: TestTenant, id: string) => {
      while (isEmitting) {
        for (const active of [false, true]) {
          statuses.push((await tenant.setActive(id, active)).status);
          await sleep(randomInt(20));
        }
      }
    };
    const flipping = subscriptions.map(({ tenant, ids }) => flip(tenant, ids[0] ?? ""));
    for (let number = 0; number < EVENTS_PER_TENANT; number += 1) {
      await Promise.all(tenants.map(({ tenantId }) => webhooks.emit(tenantId, { number })));
    }
    isEmitting = false;
    await Promise.all(flipping);
    expect(new Set(statuses)).toEqual(new Set([200]));

    const expected = TENANTS * SUBSCRIPTIONS_PER_TENANT * EVENTS_PER_TENANT;
    const byStatus = async () => {
      const { rows } = await webhooks.pool.query(
        "select status, count(*)::int from all_deliveries group by status",
      );
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    };
    await until("every delivery", async () => (await byStatus()).delivered === expected);
    expect(await byStatus()).toEqual({ delivered: expected });
    expect(new Set(succeeded).size).toBe(expected);
    expect(succeeded.length).toBe(expected);
    const { rows } = await webhooks.pool.query(
      "select deadlocks::int from pg_stat_database where datname = current_database()",
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
});
