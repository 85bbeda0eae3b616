// Deletes, recovers and redrives subscriptions during attempts, without deadlocks.
import { randomInt } from "node:crypto";
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { deadLetters } from "../src/operate.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const SUBSCRIPTIONS = 20;

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms,20ms" });
test("every deletion during attempts succeeds, and no open delivery is left", async () => {
  receiver.behave(() => (randomInt(2) === 0 ? 200 : 500));
  const paths = Array.from({ length: SUBSCRIPTIONS }, (_, index) => `/${index}`);
  const ids = await Promise.all(paths.map(async (path) => (await tenant.subscribe(path)).id));
  const emitting = tenant.emitMany(30);
  await receiver.waitFor("the first attempt", () => true);
  const statuses = await Promise.all(
    ids.map(async (id) => {
      await sleep(randomInt(700));
      return (await tenant.unsubscribe(id)).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  await emitting;
  await webhooks.untilNone("select from deliveries limit 1");
  expect(await webhooks.deadlocks()).toBe(0);
});

test("a redrive, recoveries, redeliveries and a deletion succeed at the same time", async () => {
  receiver.behave(() => 500);
  const oneTenant = async () => {
    const own = webhooks.tenant();
    const { id } = await own.subscribe("/fails");
    await own.emitMany(10);
    await own.untilAll(id, "failed", 10);
    const deliveries = await own.deliveries(id);
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
  expect(await webhooks.deadlocks()).toBe(0);
});
