// Subscriptions that get only what identifies the resource (interface §24).
import { eventData } from "@tradepost/event-catalog";
import { newId } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const { receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms,1h" });

const PATH = "/v1/webhooks/subscriptions";
const subscribe = async (payload: string) =>
  (await tenant.subscribe("/hook", ["content.entry.updated", "redirect.added"], { payload })).id;
const { entry, ...updated } = (eventData["content.entry.updated"]?.example ?? {}) as { entry: object };
const emitUpdate = () => {
  const data = { entry: { ...entry, id: newId() }, ...updated };
  return tenant.emit({}, { type: "content.entry.updated", data });
};
const sent = () => receiver.bodies().map(({ data }) => data);
const untilSent = (count: number) =>
  until(`${count} requests`, () => receiver.received.length === count && sent().at(-1));
const changePayload = async (id: string, payload: string) => (await tenant.change(id, { payload })).body.data;
const isThin = (data: object) => !JSON.stringify(data).includes("createdAt");

test("get thin data, as a delivery shows it, beside those that get all of it", async () => {
  const [thin] = [await subscribe("thin"), await subscribe("full")];
  await emitUpdate();
  await untilSent(2);
  const [data, full] = sent().toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
  const { id, type, slug, locale, status, version } = full.entry;
  expect(data).toEqual({
    entry: { id, type, slug, locale, status, version },
    changedFields: ["title", "slug"],
  });
  expect(full.previousSlug).toBe("autumn");
  const delivery = await tenant.untilDelivery(thin, "delivered");
  expect(JSON.parse(delivery.request.body).data).toEqual(data);
  expect(delivery.attempts[0]).not.toHaveProperty("isThin");
});

test("get what is made after a change in its form; retries keep theirs, redeliveries and replays have that of today", async () => {
  receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
  const id = await subscribe("thin");
  await tenant.setActive(id, false);
  await emitUpdate();
  const paused = await tenant.untilDelivery(id, "paused");
  expect(await changePayload(id, "full")).toMatchObject({ payload: "full", version: 3 });
  await tenant.setActive(id, true);
  await untilSent(2);
  expect(sent().map(isThin)).toEqual([true, true]);
  await tenant.untilDelivery(id, "delivered");
  receiver.behave(() => 200);
  await tenant.redeliver(paused.id);
  expect(isThin(await untilSent(3))).toBe(false);
  const { request } = await tenant.untilAttempts(paused.id, 3);
  expect(isThin(JSON.parse(request.body))).toBe(false);
  await changePayload(id, "thin");
  await tenant.replay(id, "all");
  expect(isThin(await untilSent(4))).toBe(true);
});

test("of a subscription that is younger than an event get its replay, and examples say that they are", async () => {
  await emitUpdate();
  await until("the event", async () => (await tenant.get("events")).length === 1);
  const id = await subscribe("thin");
  await tenant.replay(id, "missing");
  expect(isThin(await untilSent(1))).toBe(true);
  await tenant.act(id, "test", { type: "redirect.added" });
  expect(await untilSent(2)).toEqual({
    redirect: { id: expect.any(String), from: "/old-shop", version: 1 },
    test: true,
  });
});

test("are not for listeners, and have one of two values", async () => {
  const { body } = await tenant
    .owner()
    .post(PATH, { name: "A", url: receiver.url, events: ["redirect.added"], payload: "tiny" });
  expect(body.error.details).toEqual([{ path: "payload", message: "must be one of full, thin" }]);
  const listener = { name: "A", events: ["redirect.added"], payload: "thin" };
  expect((await tenant.owner().post("/v1/webhooks/listeners", listener)).status).toBe(422);
});
