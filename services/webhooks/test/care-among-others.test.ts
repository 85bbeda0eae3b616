// An endpoint with limits, next to endpoints without limits (interface §17).
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { explainDelivery } from "../src/operate.ts";
import { insertBacklog } from "./support/backlog.ts";
import { startWithReceiver } from "./support/use-webhooks.ts";

test("a limited endpoint whose row is locked keeps no other endpoint waiting", async () => {
  const started = await startWithReceiver({});
  await using _ = { [Symbol.asyncDispose]: started.stop };
  const { webhooks, receiver } = started;
  receiver.behave(() => 200);
  const limited = async (name: string) => {
    const tenant = webhooks.tenant();
    const { id } = await tenant.subscribe(`${receiver.url}/${name}`);
    await tenant.owner().patch(`/v1/webhooks/subscriptions/${id}`, { maxInFlight: 5 });
    return { tenant, id };
  };
  const locked = await limited("locked");
  const other = await limited("other");
  const plain = webhooks.tenant();
  const { id: plainId } = await plain.subscribe(`${receiver.url}/plain`);
  const countOf = (path: string) => receiver.received.filter((request) => request.path === path).length;
  {
    await using _ = await webhooks.begin("select from subscriptions where id = $1 for update", [locked.id]);
    await insertBacklog(webhooks.pool, locked.tenant, locked.id, 3);
    await webhooks.untilLocked();
    await insertBacklog(webhooks.pool, other.tenant, other.id, 3);
    await insertBacklog(webhooks.pool, plain, plainId, 3);
    await until("the others' deliveries", () => countOf("/other") >= 2 && countOf("/plain") >= 2, 20_000);
    expect(countOf("/locked")).toBe(0);
    const waiting = (await locked.tenant.deliveries(locked.id)).at(-1);
    expect(await explainDelivery(webhooks.db, waiting.id)).toMatchObject({
      because: expect.stringContaining("Its subscription allows 5 at a time."),
    });
  }
  await until("the locked one's", () => countOf("/locked") >= 2);
}, 60_000);
