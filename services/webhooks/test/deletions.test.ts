// Deletes, recovers and redrives subscriptions during attempts, without deadlocks.
import { randomInt } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { deadLetters } from "../src/operate.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const SUBSCRIPTIONS = 20;

describe("during attempts", () => {
  const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms,20ms" });

  const expectNoDeadlock = async () => {
    const rows = await webhooks.query(
      "select deadlocks::int from pg_stat_database where datname = current_database()",
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  };
  const emit = async (count: number, { tenantId } = tenant) => {
    for (let number = 0; number < count; number += 1) await webhooks.emit(tenantId, { number });
  };

  test("every deletion succeeds, and no open delivery is left", async () => {
    receiver.behave(() => (randomInt(2) === 0 ? 200 : 500));
    const urls = Array.from({ length: SUBSCRIPTIONS }, (_, index) => `${receiver.url}/${index}`);
    const ids = await Promise.all(urls.map(async (url) => (await tenant.subscribe(url)).id));
    const emitting = emit(30);
    await receiver.waitFor("the first attempt", () => true);
    const statuses = await Promise.all(
      ids.map(async (id) => {
        await sleep(randomInt(700));
        return (await tenant.unsubscribe(id)).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await emitting;
    await until("no open delivery", async () => {
      const rows = await webhooks.query("select 1 from deliveries limit 1");
      return rows.length === 0;
    });
    await expectNoDeadlock();
  });

  test("a redrive, recoveries, redeliveries and a deletion succeed at the same time", async () => {
    receiver.behave(() => 500);
    const oneTenant = async () => {
      const own = webhooks.tenant();
      const { id } = await own.subscribe(`${receiver.url}/fails`);
      await emit(10, own);
      await own.untilAll(id, "failed", 10);
      const deliveries = (await own.deliveries(id)) as { id: string }[];
      const since = new Date(Date.now() - 60_000).toISOString();
      // On a busy machine a request may wait too long for a connection. It gets 503, and has changed nothing.
      const post = (path: string, body?: object) =>
        until(path, async () => {
          const response = await own.owner().post(path, body);
          return response.status !== 503 && response;
        });
      const recover = () => post(`/v1/webhooks/subscriptions/${id}/recover`, { since });
      const responses = await Promise.all([
        deadLetters.redrive(webhooks.db, { subscription: id }).then(() => ({ status: 202 })),
        recover(),
        ...deliveries.map((one) => post(`/v1/webhooks/deliveries/${one.id}/redeliver`)),
        recover(),
      ]);
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 202));
      const [recovered, deleted] = await Promise.all([recover(), own.unsubscribe(id)]);
      expect([[202, 404].includes(recovered.status), deleted.status]).toEqual([true, 200]);
    };
    await Promise.all(Array.from({ length: 5 }, oneTenant));
    await expectNoDeadlock();
  });
});
