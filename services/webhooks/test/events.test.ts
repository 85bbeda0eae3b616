// The events of a tenant: what happened, what was delivered, and why nothing arrived.
import { randomUUID } from "node:crypto";
import { newId } from "@tradepost/runtime";
import { readPages, until } from "@tradepost/testing";
import { type EventsQuery, pageStatement } from "../src/log/event-store.ts";
import { exampleData } from "./support/example-data.ts";
import { makeDays } from "./support/past-days.ts";
import { rowsReadByTenant } from "./support/rows-read.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import { eventOf, faultsOf } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/events";

const { webhooks, tenant } = useWebhooks();

const list = async (query: Record<string, string> = {}) =>
  (await tenant.owner().get(`${PATH}?${new URLSearchParams(query)}`)).body;
const ids = async (query: Record<string, string> = {}) =>
  (await list(query)).data.map(({ id }: { id: string }) => id);
const read = async (id: string) => (await tenant.owner().get(`${PATH}/${id}`)).body.data;
/** Emits an event as the content service does, and waits until it has been fanned out. */
const emit = async (resourceId: string = newId(), more: { type?: string; [key: string]: unknown } = {}) => {
  const data = exampleData(more.type ?? "redirect.added", { id: resourceId });
  return await tenant.emitAndStore({}, { id: newId(), data, ...more });
};

describe("the events of a tenant", () => {
  test("are listed whether or not a subscription matches, newest first, with their deliveries", async () => {
    const resourceId = newId();
    const before = await emit(resourceId, { request_id: "r-1", occurred_at: "2026-08-20T09:30:00.123Z" });
    const { id: subscriptionId } = await tenant.subscribe("/hook");
    const after = await emit();
    const delivery = await tenant.untilDelivery(subscriptionId, "delivered");
    const { data, page } = await list();
    expect(page).toEqual({ nextCursor: null });
    expect(data).toEqual([
      {
        ...{ id: after, type: "redirect.added", resourceId: expect.any(String) },
        ...{ occurredAt: expect.any(String), requestId: expect.any(String), subject: "/old-shop" },
        deliveries: [{ id: delivery.id, subscriptionId, status: "delivered" }],
      },
      {
        ...{ id: before, type: "redirect.added", resourceId },
        ...{ occurredAt: "2026-08-20T09:30:00.123Z", requestId: "r-1", deliveries: [], subject: "/old-shop" },
      },
    ]);
    expect((await webhooks.tenant().owner().get(PATH)).body.data).toEqual([]);
    const viewer = webhooks.as({ tenantId: tenant.tenantId, role: "viewer" });
    expect((await viewer.get(PATH)).body.data).toEqual(data);
  });

  test("are found by the words of what they are about, which their deliveries show, too", async () => {
    const { id } = await tenant.subscribe("/hook", [
      "content.entry.created",
      "media.uploaded",
      "redirect.added",
    ]);
    const about = (type: string, fields: Record<string, unknown>) =>
      emit(newId(), { type, data: exampleData(type, { id: newId(), ...fields }) });
    const entry = (slug: string, title?: string) =>
      about("content.entry.created", { slug, data: title === undefined ? {} : { title } });
    const file = await about("media.uploaded", { filename: "Müller, Jörg.pdf" });
    const [titled, untitled] = [await entry("autumn", "Autumn Sale 2026"), await entry("winter-sale")];
    const long = await entry("long", "x".repeat(300));
    const redirect = await about("redirect.added", { from: `/caf%C3%A9-${"%F0%9F%98%80".repeat(200)}` });
    await about("redirect.added", { from: "/%FF-100%25" });
    const found = async (search: string, more = {}) => await ids({ search, ...more });
    expect(await found("sale")).toEqual([untitled, titled]);
    expect(await found("SAL autu")).toEqual([titled]);
    expect(await found("sale", { type: "media.uploaded" })).toEqual([]);
    expect(await found("mueller")).toEqual([file]);
    expect(await found("café")).toEqual([redirect]);
    expect(await found("ale")).toEqual([]);
    const refused = await tenant.owner().get(`${PATH}?search=%20%20`);
    expect([refused.status, refused.body.error.details]).toEqual([
      422,
      [{ path: "search", message: "must contain a word" }],
    ]);
    const path = `/café-${"😀".repeat(194)}`;
    const subjects = [
      "/%FF-100%25",
      path,
      "x".repeat(200),
      "winter-sale",
      "Autumn Sale 2026",
      "Müller, Jörg.pdf",
    ];
    expect((await list()).data.map(({ subject }: { subject: string }) => subject)).toEqual(subjects);
    expect((await read(long)).subject).toBe(subjects[2]);
    const deliveries = await tenant.untilDeliveries(id, 6);
    expect(deliveries.map(({ subject }) => subject).sort()).toEqual(subjects.sort());
  });

  test("of a release without subjects show the slug or the path", async () => {
    const id = await emit();
    await webhooks.query("update events set subject = null, subject_words = null where id = $1", id);
    expect([(await list()).data[0].subject, (await read(id)).subject]).toEqual(["/old-shop", "/old-shop"]);
  });

  test("are filtered by type, resource and time, page by page", async () => {
    const [resourceId, types] = [newId(), ["redirect.added", "redirect.removed", "media.uploaded"]];
    const all: { id: string; type: string; occurredAt: string; resourceId: string }[] = [];
    for (let index = 0; index < 9; index += 1) {
      const [type = "", occurredAt] = [types[index % 3], new Date(Date.now() + index).toISOString()];
      const about = index < 4 ? resourceId : newId();
      const id = await emit(about, { type, occurred_at: occurredAt });
      all.unshift({ id, type, occurredAt, resourceId: about });
    }
    expect(await ids()).toEqual(all.map(({ id }) => id));
    const expectFound = async (query: Record<string, string>, is: (one: (typeof all)[number]) => boolean) =>
      expect([query, await ids(query)]).toEqual([query, all.filter(is).map(({ id }) => id)]);
    await expectFound({ type: "redirect.removed" }, ({ type }) => type === "redirect.removed");
    await expectFound({ resourceId }, (one) => one.resourceId === resourceId);
    await expectFound({ resourceId: resourceId.toUpperCase() }, (one) => one.resourceId === resourceId);
    await expectFound({ resourceId: randomUUID() }, () => false);
    const [createdAfter, createdBefore] = [all[6]?.occurredAt ?? "", all[2]?.occurredAt ?? ""];
    await expectFound({ createdAfter }, ({ occurredAt }) => occurredAt >= createdAfter);
    await expectFound({ createdBefore }, ({ occurredAt }) => occurredAt < createdBefore);
    await expectFound(
      { resourceId, createdAfter, createdBefore, type: "redirect.added" },
      (one) => one.resourceId === resourceId && one.occurredAt >= createdAfter && one.type === types[0],
    );
    const path = `${PATH}?${new URLSearchParams({ limit: "2", createdAfter })}`;
    const seen = (await readPages(tenant.owner(), path)).flat().map(({ id }) => id);
    expect(seen).toEqual(await ids({ createdAfter }));
  });

  test("every invalid filter is named", async () => {
    const query = "resourceId=1&createdAfter=0&createdBefore=x&id=1&type=redirect.added,redirect.removed";
    const fields = ["createdAfter", "createdBefore", "id", "resourceId", "type"];
    expect(faultsOf(await tenant.owner().get(`${PATH}?${query}`))).toEqual([422, ...fields]);
    const [first, last] = ["0001-01-01T00:00:00+15:00", "9999-12-31T23:59:59-15:00"];
    expect(await ids({ createdAfter: first, createdBefore: last })).toEqual([]);
  });

  test("say for each subscription why it has a delivery or none", async () => {
    const matching = await tenant.subscribe("/hook");
    const paused = await tenant.subscribe("/hook");
    const otherType = await tenant.subscribe("/hook", ["media.uploaded"]);
    const deleted = await tenant.subscribe("/hook");
    for (const { id } of [paused, deleted]) await tenant.setActive(id, false);
    const id = await emit();
    await tenant.untilDelivery(matching.id, "delivered");
    await tenant.unsubscribe(deleted.id);
    const later = await tenant.subscribe("/hook");
    // One subscription matched, whatever it subscribes to now, and the other did not.
    const change = (of: { id: string }, events: string[]) => tenant.change(of.id, { events });
    await change(matching, ["media.uploaded"]);
    await change(otherType, ["redirect.added"]);
    const event = await read(id);
    expect(event).toMatchObject({ id, data: exampleData("redirect.added", { id: expect.any(String) }) });
    const statuses = event.deliveries.map(({ status }: { status: string }) => status);
    expect(statuses.sort()).toEqual(["cancelled", "delivered", "paused"]);
    const [{ id: deliveryId }] = await tenant.deliveries(paused.id);
    expect(event.subscriptions).toMatchObject([
      { subscriptionId: later.id, matched: false, reason: "created_later", deliveryId: null },
      { subscriptionId: otherType.id, matched: false, reason: "type_not_subscribed", deliveryId: null },
      { subscriptionId: paused.id, matched: true, reason: null, deliveryId, name: "Test" },
      { subscriptionId: matching.id, matched: true, reason: null, deliveryId: expect.any(String) },
    ]);
  });

  test("show their data with the same digits", async () => {
    const data = exampleData("content.entry.created", { data: {} });
    const event = eventOf(tenant.tenantId, {}, { id: newId(), type: "content.entry.created", data });
    const digits = '"data":{"price":19.990000000000000000001}';
    const text = JSON.stringify(event).replace('"data":{}', digits);
    await webhooks.publish("platform.events", event.type, text);
    const found = await until("the event", async () => {
      const response = await tenant.owner().get(`${PATH}/${event.id}`);
      return response.status === 200 && response;
    });
    expect(found.text).toContain(digits);
    expect(found.body.data).toMatchObject({ subscriptions: [] });
  });

  test("are those that happened: an example is not listed, and is about its subscription only", async () => {
    const { id } = await tenant.subscribe("/hook");
    await tenant.subscribe("/other");
    const sent = await tenant.act(id, "test", {});
    expect(await ids()).toEqual([]);
    expect((await read(sent.body.data.eventId)).subscriptions).toMatchObject([
      { subscriptionId: id, matched: true, deliveryId: sent.body.data.id },
    ]);
  });
});

describe("among 40,000 events", () => {
  const tenantId = randomUUID();
  const resourceId = randomUUID();

  beforeAll(async () => {
    await makeDays(webhooks.pool, [0, 1, 2], ["events"]);
    await webhooks.query(FILL, tenantId, resourceId);
    await webhooks.query("analyze events");
  });

  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

  test.each<[string, Partial<EventsQuery>, number]>([
    ["a resource", { resourceId }, 500],
    ["a time", { createdBefore: hoursAgo(50), createdAfter: hoursAgo(51) }, 1_500],
    ["a type that most have", { type: "redirect.added" }, 500],
    ["nothing", {}, 500],
    ["a rare type", { type: "media.uploaded" }, 25_000],
    ["a word that none has", { search: [["autumn"]] }, 25_000],
  ])("%s reads few rows", async (_, query, rowsMax) => {
    const statement = pageStatement(tenantId, { limit: 25, cursor: null, ...query });
    expect(await rowsReadByTenant(webhooks, tenantId, statement)).toBeLessThan(rowsMax);
  });
});

// One every five seconds. The ids contain these times. Every 1,000th is about the same resource.
const FILL = `
  insert into events (tenant_id, id, type, occurred_at, request_id, data, matched, resource_id)
  select $1, (regexp_replace(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), '(.{8})(.{4})', '\\1-\\2')
              || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
         'redirect.added', at, 'r', '{}', 0, case when n % 1000 = 0 then $2::uuid else gen_random_uuid() end
    from generate_series(1, 40000) n, lateral (select now() - n * interval '5 seconds' as at) moment`;
