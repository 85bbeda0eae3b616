// Due entries are published once, whichever replicas run or die.
import { until } from "@tradepost/testing";
import pg from "pg";
import { makeDue } from "./support/due-entries.ts";
import { dataOf, inSeconds, newDraft, newLive, putType } from "./support/editing.ts";
import { ownTestContent, type TestTenant } from "./support/test-content.ts";

const content = await ownTestContent();
const tenant = content.newTenant();
await putType(tenant);

describe("publishing due entries", () => {
  const published = async () =>
    (await content.events(tenant.tenantId)).filter(({ type }) => type === "content.entry.published");
  const untilDone = (client: TestTenant) =>
    until(
      "all entries to be live",
      async () => (await client.get("/v1/entries?status=scheduled")).body.data.length === 0,
    );

  test("skips an entry that another replica has locked, and publishes it if that one dies", async () => {
    const before = (await published()).length;
    const dying = new pg.Client(content.databaseUrl);
    await dying.connect();
    const locked = await newDraft(tenant, { title: "Locked" });
    const free = await newDraft(tenant, { title: "Free" });
    const publishAt = inSeconds(3_600);
    await tenant.post(`${locked.path}/schedule`, { publishAt });
    await tenant.post(`${free.path}/schedule`, { publishAt });
    // As one message, so that the lock is taken long before the entries are due.
    await dying.query(`
      begin;
      update entries set publish_at = now() + interval '1 s', schedule_try_at = now() + interval '1 s'
       where id in ('${locked.id}', '${free.id}');
      commit;
      begin;
      select from entries where id = '${locked.id}' for update`);
    await until("the free entry", async () => dataOf(await tenant.get(free.path)).status === "published");
    expect(dataOf(await tenant.get(locked.path)).status).toBe("scheduled");
    await dying.end();
    await until("the locked entry", async () => dataOf(await tenant.get(locked.path)).status === "published");
    expect((await published()).length).toBe(before + 2);
  });

  test("happens later if no replica ran at the time", async () => {
    const before = (await published()).length;
    const first = await newDraft(tenant, { title: "First" });
    const moved = await newLive(tenant, { title: "Moved" }, { slug: "was" });
    await tenant.patch(moved.path, { slug: "is" });
    const publishAt = inSeconds(3_600);
    for (const { path } of [first, moved]) dataOf(await tenant.post(`${path}/schedule`, { publishAt }));
    await content.stopService();
    await makeDue(content, publishAt);
    expect((await published()).length).toBe(before + 1);
    const next = await content.startReplica();
    const client = content.newTenant(tenant.tenantId, next.url);
    await untilDone(client);
    expect(dataOf(await client.get(`${moved.path}?version=published`)).slug).toBe("is");
    expect(
      (await published())
        .slice(before + 1)
        .map(({ data }) => data.entry.id)
        .sort(),
    ).toEqual([first.id, moved.id].sort());
  });
});
