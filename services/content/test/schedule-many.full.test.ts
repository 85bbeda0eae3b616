// Many entries that are due at the same time: they go live in batches, each once, whichever replicas run or die. Neither an invalid
// entry nor a tenant with thousands of due entries holds up the others.
import { until } from "@tradepost/testing";
import { insertDue, makeDue, waitingCount } from "./support/due-entries.ts";
import { dataOf, inSeconds, newDraft, newLive, putType } from "./support/editing.ts";
import { ownTestContent, type TestTenant } from "./support/test-content.ts";

const PUBLISHED = "content.entry.published";
/** For entries that are prepared before they become due. */
const LATER = inSeconds(3_600);

const content = await ownTestContent();
const other = await content.startReplica();

describe("entries that are due at once", () => {
  let tenant: TestTenant;
  beforeEach(async () => {
    tenant = content.newTenant();
    await putType(tenant);
  });

  const publishedIds = async ({ tenantId }: TestTenant) =>
    (await content.events(tenantId))
      .filter(({ type }) => type === PUBLISHED)
      .map(({ data }) => data.entry.id);
  const untilWaiting = (count: number) =>
    until(`${count} to wait`, async () => (await waitingCount(content, tenant)) === count);
  /** Rows that one transaction wrote have the same xmin. */
  const transactionCount = async () => {
    const count = "select count(distinct xmin::text)::int as count from entries where tenant_id = $1";
    return (await content.sql(count, [tenant.tenantId]))[0].count;
  };

  test("900 go live in few transactions, each with one event and not too early", async () => {
    const at = inSeconds(3);
    const ids = await insertDue(content, tenant, { count: 900, at });
    await untilWaiting(0);
    expect(await transactionCount()).toBeLessThanOrEqual(20);
    expect((await publishedIds(tenant)).sort()).toEqual(ids.sort());
    for (const { type, data } of await content.events(tenant.tenantId)) {
      if (type !== PUBLISHED) continue;
      expect(Date.parse(data.entry.publishedAt)).toBeGreaterThanOrEqual(Date.parse(at));
    }
  });

  test("another tenant's entry does not wait for thousands of others", async () => {
    const many = Array.from({ length: 6 }, () => content.newTenant());
    for (const one of many) await putType(one);
    for (const one of many) await insertDue(content, one, { count: 800, at: LATER });
    const [id] = await insertDue(content, tenant, { count: 1, at: LATER });
    await makeDue(content, LATER, id);
    await untilWaiting(0);
    const [{ count }] = await content.sql(
      `select count(*)::int from entries
        where tenant_id = any($1) and published_at <= (select published_at from entries where id = $2)`,
      [many.map(({ tenantId }) => tenantId), id],
    );
    // Its turn comes in the first or second round: two replicas, four slots each, 100 entries per turn.
    expect(count).toBeLessThan(2_800);
    await content.sql(
      `update entries set publish_at = null, scheduled_revision = null, schedule_try_at = null
        where tenant_id = any($1)`,
      [many.map(({ tenantId }) => tenantId)],
    );
  });

  test("an entry without a required field shows why, and the others go live", async () => {
    const [bad] = await insertDue(content, tenant, { count: 200, at: LATER });
    await content.sql("update entry_revisions set data = '{}' where entry_id = $1", [bad]);
    await makeDue(content, LATER);
    await untilWaiting(1);
    const entry = (await tenant.get(`/v1/entries/${bad}`)).body.data;
    expect(entry).toMatchObject({ status: "scheduled", scheduleError: "data.title: is required" });
    expect(await publishedIds(tenant)).toHaveLength(199);
    expect(await transactionCount()).toBeLessThanOrEqual(8);
  });

  test("an entry that makes a statement fail shows why, and the others go live", async () => {
    const [bad] = await insertDue(content, tenant, { count: 20, at: LATER });
    await content.sql(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'refused by the test'; end $$;
      create trigger refuse before insert on outbox for each row
        when (new.aggregate_id = '${bad}') execute function refuse()`);
    await makeDue(content, LATER);
    await untilWaiting(1);
    // The others may go live before the failure is recorded.
    const reason = await until(
      "the reason",
      async () => (await tenant.get(`/v1/entries/${bad}`)).body.data.scheduleError,
    );
    expect(reason).toBe("Something went wrong on our side.");
    expect(await publishedIds(tenant)).toHaveLength(19);
    await content.sql("drop trigger refuse on outbox");
    await content.sql("update entries set schedule_try_at = now() where id = $1", [bad]);
    await untilWaiting(0);
    expect((await publishedIds(tenant)).filter((id) => id === bad)).toHaveLength(1);
  });

  test("entries of a type that is being changed wait for the change, and the others do not", async () => {
    await putType(tenant, "page");
    const at = LATER;
    const waiting = await insertDue(content, tenant, { count: 150, at, type: "page" });
    const free = await insertDue(content, tenant, { count: 50, at, slugs: "free-" });
    const lock = "select from content_types where tenant_id = $1 and slug = 'page' for update";
    const { release } = await content.hold(lock, [tenant.tenantId]);
    try {
      await makeDue(content, LATER);
      await untilWaiting(150);
      expect((await publishedIds(tenant)).sort()).toEqual(free.sort());
    } finally {
      await release();
    }
    await untilWaiting(0);
    expect((await publishedIds(tenant)).sort()).toEqual([...waiting, ...free].sort());
  });

  test("large entries go live in smaller batches", async () => {
    const ids = await insertDue(content, tenant, { count: 12, at: LATER });
    await content.sql(
      `update entry_revisions set data = json_build_object('title', repeat('x', 1800000)) where entry_id = any($1)`,
      [ids],
    );
    await makeDue(content, LATER);
    await untilWaiting(0);
    expect((await publishedIds(tenant)).sort()).toEqual(ids.sort());
    expect(await transactionCount()).toBeGreaterThanOrEqual(3);
  });

  test("an entry that another replica has locked is skipped, and goes live if that replica dies", async () => {
    const dying = await content.connect();
    const locked = await newDraft(tenant, { title: "Locked" });
    const free = await newDraft(tenant, { title: "Free" });
    for (const { path } of [locked, free])
      dataOf(await tenant.post(`${path}/schedule`, { publishAt: LATER }));
    // As one message, so that the lock is taken long before the entries are due.
    await dying.query(`
      begin;
      update entries set publish_at = now() + interval '1 s', schedule_try_at = now() + interval '1 s'
       where id in ('${locked.id}', '${free.id}');
      commit;
      begin;
      select from entries where id = '${locked.id}' for update`);
    await untilWaiting(1);
    expect(await publishedIds(tenant)).toEqual([free.id]);
    expect(dataOf(await tenant.get(locked.path)).status).toBe("scheduled");
    await dying.end();
    await untilWaiting(0);
    expect(await publishedIds(tenant)).toEqual([free.id, locked.id]);
  });

  test("go live later if no replica ran at the time", async () => {
    const first = await newDraft(tenant, { title: "First" });
    const moved = await newLive(tenant, { title: "Moved" }, { slug: "was" });
    await tenant.patch(moved.path, { slug: "is" });
    for (const { path } of [first, moved])
      dataOf(await tenant.post(`${path}/schedule`, { publishAt: LATER }));
    for (const stop of [content.stopService, other.stop]) await stop();
    await makeDue(content, LATER);
    expect(await publishedIds(tenant)).toEqual([moved.id]);
    const next = await content.startReplica();
    await untilWaiting(0);
    const client = content.newTenant(tenant.tenantId, next.url);
    expect(dataOf(await client.get(`${moved.path}?version=published`)).slug).toBe("is");
    const [, ...late] = await publishedIds(tenant);
    expect(late.sort()).toEqual([first.id, moved.id].sort());
  });
});
