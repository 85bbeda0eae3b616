// The ledger of a day, and the digest with which a receiver proves that it has everything (interface §18).
import { randomUUID } from "node:crypto";
import { newId } from "@tradepost/runtime";
import { readPages, until } from "@tradepost/testing";
import { firstIdAt } from "../src/delivery/ids.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import { digestOf, faultsOf } from "./support/webhooks.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const get = async (path: string, query: Record<string, string>) =>
  await tenant.owner().get(`/v1/webhooks/${path}?${new URLSearchParams(query)}`);
const ledger = async (subscriptionId: string, day: string) =>
  (await get("ledger", { subscriptionId, day })).body.data;

const receivedIds = () => receiver.sent("x-service-delivery").map(String);
const newRedirect = () => ({ redirect: { id: randomUUID() } });

const emit = async (type: string, occurredAt: string, data: object = {}) =>
  await tenant.emit({}, { type, occurred_at: occurredAt, data });
const sumOf = (name: "events" | "waiting", types: readonly { events: number; waiting: number }[]) =>
  types.reduce((sum, counts) => sum + counts[name], 0);

test("counts what became of a day's events, and agrees with the receiver", async () => {
  const day = dayBefore(1);
  const entry = (locale: string) => ({ entry: { id: randomUUID(), type: "page", slug: "a", locale } });
  receiver.behave(() => (String(receiver.received.at(-1)?.body).includes("fails") ? 500 : 200));
  const { id } = await tenant.subscribe("/hook", ["content.entry.created", "redirect.added"], {
    filter: { locale: ["en"] },
  });
  for (const hour of ["00:00:00.000", "09:59:59.999", "10:00:00.000", "23:59:59.999"])
    await emit("content.entry.created", `${day}T${hour}Z`, entry("en"));
  await emit("content.entry.created", `${day}T12:00:00Z`, entry("fr"));
  await emit("redirect.added", `${day}T12:00:00Z`, { redirect: { id: randomUUID(), from: "/fails" } });
  await emit("media.uploaded", `${day}T12:00:00Z`, { media: { id: randomUUID() } });
  await emit("redirect.added", `${dayBefore(0)}T00:00:00.000Z`, newRedirect());
  const closed = await until("the day to be closed", async () => {
    const found = await ledger(id, day);
    return sumOf("events", found.types) === 7 && found.closed && found;
  });
  const none = { filtered: 0, delivered: 0, failed: 0, waiting: 0, cancelled: 0 };
  const succeeded = receivedIds().filter(
    (_, index) => !String(receiver.received[index]?.body).includes("fails"),
  );
  const ofToday = (await get("ledger/deliveries", { subscriptionId: id, hour: `${dayBefore(0)}T00` })).body;
  const todays = ofToday.data.map((one: { id: string }) => one.id);
  expect(closed).toEqual({
    ...{ day, subscriptionId: id, closed: true },
    types: [
      { type: "content.entry.created", ...none, events: 5, matched: 4, filtered: 1, delivered: 4 },
      { type: "media.uploaded", ...none, events: 1, matched: 0 },
      { type: "redirect.added", ...none, events: 1, matched: 1, failed: 1 },
    ],
    digest: digestOf(succeeded.filter((one) => !todays.includes(one))),
  });
  expect(ofToday.page.digest).toBe(digestOf(todays));
  const nine = (await get("ledger/deliveries", { subscriptionId: id, hour: `${day}T09` })).body;
  expect(nine.data).toEqual([
    {
      ...{ id: expect.any(String), eventId: expect.any(String), type: "content.entry.created" },
      occurredAt: `${day}T09:59:59.999Z`,
    },
  ]);
  expect(nine.page).toEqual({ nextCursor: null, digest: digestOf([nine.data[0].id]) });
});

test("shows what waits, a test, and what a replay opens again", async () => {
  const day = dayBefore(0);
  const { id } = await tenant.subscribe("/hook");
  await emit("redirect.added", new Date().toISOString(), newRedirect());
  await tenant.act(id, "test", { type: "media.uploaded" });
  await until("both", async () => (await ledger(id, day)).types.length === 2);
  await until("nothing waiting", async () => sumOf("waiting", (await ledger(id, day)).types) === 0);
  const before = await ledger(id, day);
  expect(before.digest).toBe(digestOf(receivedIds()));
  // The day is not over.
  expect(before.closed).toBe(false);
  await tenant.setActive(id, false);
  await tenant.replay(id, "all");
  const replayed = await until("the replay", async () => {
    const found = await ledger(id, day);
    return sumOf("waiting", found.types) === 1 && found;
  });
  expect(replayed.types).toMatchObject([
    { type: "media.uploaded", matched: 1, delivered: 1, waiting: 0 },
    { type: "redirect.added", matched: 1, delivered: 0, waiting: 1 },
  ]);
  await tenant.setActive(id, true);
  await until("the same as before", async () => (await ledger(id, day)).digest === before.digest);
});

test("is not closed while events of the day may still arrive", async () => {
  const day = dayBefore(1);
  const { id } = await tenant.subscribe("/hook");
  const empty = { day, subscriptionId: id, closed: true, types: [], digest: "0".repeat(64) };
  expect(await ledger(id, day)).toEqual(empty);
  const until = `${day}T23:59:59Z`;
  await webhooks.query("insert into tallies values ('content', $1)", until);
  expect(await ledger(id, day)).toEqual({ ...empty, closed: false });
  await webhooks.query("delete from tallies");
  // A tally of that time is missing.
  const end = `${dayBefore(0)}T00:00:01Z`;
  await webhooks.query("insert into tally_gaps values ('content', $1, $2)", until, end);
  expect(await ledger(id, day)).toEqual({ ...empty, closed: false });
  expect(await ledger(id, dayBefore(2))).toMatchObject({ closed: true });
  await webhooks.query("delete from tally_gaps");
  // A tally lists an event of the tenant that has not arrived.
  const at = new Date(`${day}T12:00:00Z`);
  const lost = [tenant.tenantId, firstIdAt(at), at];
  await webhooks.query("insert into missing_events values ($1, $2, 'content', $3, $3)", ...lost);
  expect(await ledger(id, day)).toEqual({ ...empty, closed: false });
  expect(await ledger(id, dayBefore(2))).toMatchObject({ closed: true });
  const other = webhooks.tenant();
  const { id: theirs } = await other.subscribe("/hook");
  const { body } = await other.owner().get(`/v1/webhooks/ledger?subscriptionId=${theirs}&day=${day}`);
  expect(body.data).toMatchObject({ closed: true });
  await webhooks.query("delete from missing_events");
  expect(await ledger(id, day)).toEqual(empty);
});

test("is not closed while a service has an event of the day that it has not published", async () => {
  const day = dayBefore(1);
  const { id } = await tenant.subscribe("/hook");
  const tally = async (since: string, end: string, more: object) => {
    const content = { data: { tally: { service: "content", since, until: end, eventIds: {}, ...more } } };
    await webhooks.publish("platform.events", "content.tally", JSON.stringify(content));
    const compared = "select from tallies where service = 'content' and compared_until >= $1::timestamptz";
    await webhooks.untilSome(compared, end);
    return (await ledger(id, day)).closed;
  };
  const minute = (number: number) => `${dayBefore(0)}T00:0${number}:00.123456Z`;
  const isOpen = { unpublishedSince: `${day}T23:59:59.999Z` };
  expect(await tally(minute(1), minute(2), isOpen)).toBe(false);
  expect((await ledger(id, dayBefore(2))).closed).toBe(true);
  // An older tally that comes late. The next one follows it through the queue.
  await tally(minute(0), minute(1), {});
  await webhooks.query("insert into tallies (service, compared_until) values ('other', $1)", minute(9));
  expect((await ledger(id, day)).closed).toBe(false);
  expect(await tally(minute(2), minute(3), { unpublishedSince: `${dayBefore(0)}T00:00:00Z` })).toBe(true);
  expect(await tally(minute(3), minute(4), isOpen)).toBe(false);
  expect(await tally(minute(4), minute(5), { unpublishedSince: null })).toBe(true);
  // The tallies between are missing, until one comes late.
  await tally(minute(8), minute(9), {});
  await tally(minute(6), minute(7), {});
  const gaps = async () => await webhooks.query("select since, until from tally_gaps order by since");
  await until("the gap to be split", async () => (await gaps()).length === 2);
  const time = (number: number) => new Date(minute(number));
  expect(await gaps()).toEqual([
    { since: time(5), until: time(6) },
    { since: time(7), until: time(8) },
  ]);
  await tally(minute(5), minute(8), {});
  await until("no gap", async () => (await gaps()).length === 0);
  await webhooks.query("delete from tallies");
});

test("is never closed for a day with an event that is lost for good, until it arrives", async () => {
  const day = dayBefore(20);
  const { id } = await tenant.subscribe("/hook");
  const at = new Date(`${day}T12:00:00Z`);
  const idAt = (time: Date) => `${firstIdAt(time).slice(0, 14)}${newId().slice(14)}`;
  const eventId = idAt(at);
  const later = idAt(new Date(at.getTime() + 1));
  await webhooks.query(
    "insert into missing_events values ($1, $2, 'content', $4, $4), ($1, $3, 'content', $4, $4)",
    ...[tenant.tenantId, eventId, later, at],
  );
  // An event that is too old for the ledger.
  const old = [tenant.tenantId, firstIdAt(new Date(0)), new Date(`${dayBefore(33)}T00:00:00Z`)];
  await webhooks.query("insert into missing_events values ($1, $2, 'content', $3, $3)", ...old);
  // When the service starts, it looks for arrived and outdated events.
  await webhooks.restart({});
  const text = "select event_id as id from missing_events where tenant_id = $1 order by id";
  const missing = async () => (await webhooks.query(text, tenant.tenantId)).map(({ id }) => id);
  await until("the outdated one to be forgotten", async () => (await missing()).length < 3);
  expect(await missing()).toEqual([eventId, later]);
  expect(await ledger(id, day)).toMatchObject({ closed: false });
  for (const arriving of [eventId, later])
    await tenant.emit({}, { id: arriving, occurred_at: at.toISOString() });
  await until("the late events to close the day", async () => (await ledger(id, day)).closed);
  expect((await ledger(id, day)).types).toMatchObject([{ events: 2, delivered: 2 }]);
});

test("pages an hour, and refuses what is no day, no hour, or not kept", async () => {
  const { id: subscriptionId } = await tenant.subscribe("/hook");
  const hour = `${dayBefore(1)}T10`;
  for (const minute of [10, 20, 30]) await emit("redirect.added", `${hour}:${minute}:00Z`, newRedirect());
  const delivered = async () => (await get("ledger/deliveries", { subscriptionId, hour })).body.data;
  await until("all", async () => (await delivered()).length === 3);
  const received = receivedIds();
  let hasAnother = false;
  const path = `/v1/webhooks/ledger/deliveries?${new URLSearchParams({ subscriptionId, hour, limit: "1" })}`;
  const pages = await readPages(tenant.owner(), path, async ({ body }) => {
    expect(body.page.digest).toBe(digestOf(received));
    if (hasAnother) return;
    hasAnother = true;
    // Newer than all others, so that no later page has it.
    await emit("redirect.added", `${hour}:40:00Z`, newRedirect());
    await until("another", () => receiver.received.length === 4);
  });
  const seen = pages.flat().map(({ id }) => id);
  expect(seen.toSorted()).toEqual(received.toSorted());

  const faults = async (path: string, query: Record<string, string>) => faultsOf(await get(path, query));
  const both = [422, "day", "subscriptionId"];
  expect(await faults("ledger", { subscriptionId: "x", day: "2026-02-30" })).toEqual(both);
  expect(await faults("ledger", { subscriptionId, day: dayBefore(-1) })).toEqual([422, "day"]);
  expect(await faults("ledger", { subscriptionId, day: `${dayBefore(1)}T00` })).toEqual([422, "day"]);
  const noHour = `${dayBefore(1)}T24`;
  expect(await faults("ledger/deliveries", { subscriptionId, hour: noHour })).toEqual([422, "hour"]);
  const position = Buffer.from(`${hour}:20:00.000Z ${randomUUID()}`).toString("base64url");
  for (const cursor of [position, `${position}.0`, `x.${"0".repeat(64)}`])
    expect(await faults("ledger/deliveries", { subscriptionId, hour, cursor })).toEqual([422, "cursor"]);
  expect(await faults("ledger", { subscriptionId, day: dayBefore(30) })).toEqual([200]);
  expect(await faults("ledger", { subscriptionId, day: dayBefore(31) })).toEqual([404]);
  expect(await faults("ledger", { subscriptionId: randomUUID(), day: dayBefore(1) })).toEqual([404]);
});
