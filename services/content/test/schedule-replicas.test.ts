// Whoever runs, and whoever dies: what is due is published once.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import pg from "pg";
import { inSeconds, newDraft, newLive, putType, wanted } from "./support/editing.ts";
import {
  type NotedEvent,
  startTestContent,
  type TestContent,
  type TestTenant,
} from "./support/test-content.ts";

const ENTRIES = 50;

describe("publishing what is due", () => {
  let content: TestContent;
  let tenant: TestTenant;
  let told: (id: string) => Promise<NotedEvent[]>;
  beforeAll(async () => {
    content = await startTestContent();
    told = await content.noteEvents();
    tenant = content.newTenant();
    await putType(tenant);
  });
  afterAll(() => content.stop());

  const published = async () =>
    (await told(tenant.tenantId)).filter(({ type }) => type === "content.entry.published");
  /** Their count, once there are no more scheduled ones. */
  const untilDone = (client: TestTenant) =>
    until(
      "all to be live",
      async () => (await client.get("/v1/entries?status=scheduled")).body.data.length === 0,
    );

  test("is done once for each entry, however many replicas there are", async () => {
    const second = await content.startReplica();
    const publishAt = inSeconds(10);
    const ids = await Promise.all(
      Array.from({ length: ENTRIES }, async (_, index) => {
        const { path, id } = await newDraft(tenant, { title: `Entry ${index}` });
        wanted(await tenant.post(`${path}/schedule`, { publishAt }));
        return id;
      }),
    );
    await untilDone(tenant);
    const events = await published();
    expect(events.map(({ data }) => data.entry.id).sort()).toEqual(ids.sort());
    for (const { data } of events) {
      expect(Date.parse(data.entry.publishedAt)).toBeGreaterThanOrEqual(Date.parse(publishAt));
    }
    await second.stop();
  });

  test("passes over an entry that a replica has in hand, and does it when that one dies", async () => {
    const before = (await published()).length;
    const dying = new pg.Client(content.databaseUrl);
    await dying.connect();
    const held = await newDraft(tenant, { title: "Held" });
    const free = await newDraft(tenant, { title: "Free" });
    const publishAt = inSeconds(5);
    await tenant.post(`${held.path}/schedule`, { publishAt });
    await tenant.post(`${free.path}/schedule`, { publishAt });
    await dying.query("begin");
    await dying.query("select from entries where id = $1 for update", [held.id]);
    await until("the free one", async () => wanted(await tenant.get(free.path)).status === "published");
    expect(wanted(await tenant.get(held.path)).status).toBe("scheduled");
    await dying.end();
    await until("the held one", async () => wanted(await tenant.get(held.path)).status === "published");
    expect((await published()).length).toBe(before + 2);
  });

  test("is made up for by the next service where none ran at the time", async () => {
    const before = (await published()).length;
    const first = await newDraft(tenant, { title: "First" });
    const moved = await newLive(tenant, { title: "Moved" }, { slug: "was" });
    await tenant.patch(moved.path, { slug: "is" });
    const publishAt = inSeconds(5);
    for (const { path } of [first, moved]) wanted(await tenant.post(`${path}/schedule`, { publishAt }));
    await content.stopService();
    await until("the time to pass", async () => {
      const [row] = await content.sql("select now() > $1::timestamptz as passed", [publishAt]);
      return row.passed;
    });
    expect((await published()).length).toBe(before + 1);
    const next = await content.startReplica();
    const client = content.newTenant(tenant.tenantId, next.url);
    await untilDone(client);
    expect(wanted(await client.get(`${moved.path}?version=published`)).slug).toBe("is");
    expect(
      (await published())
        .slice(before + 1)
        .map(({ data }) => data.entry.id)
        .sort(),
    ).toEqual([first.id, moved.id].sort());
  });
});
