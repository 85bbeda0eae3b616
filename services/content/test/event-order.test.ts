// The events of one resource are in the order of its changes in the feed, however its changes wait for each other. The feed is
// in the order of transaction ids, so a change gets its id only after the lock that decides the order.
import { type ClientResponse, until } from "@tradepost/testing";
import { makeDue } from "./support/due-entries.ts";
import { ARTICLE, dataOf, inSeconds, newLive, outcome, putType } from "./support/editing.ts";
import { upload } from "./support/media-client.ts";
import { ownTestContent, type TestTenant } from "./support/test-content.ts";

const REDIRECTS = "select pg_advisory_xact_lock(hashtextextended($1::text, 0))";

let tenant: TestTenant;

const content = await ownTestContent();
beforeEach(async () => {
  tenant = content.newTenant();
  await putType(tenant);
});

/** Waits until `count` transactions wait for a lock. Returns whether each has an id. */
async function waiters(count: number): Promise<boolean[]> {
  return await until(`${count} transactions to wait for a lock`, async () => {
    const rows = await content.sql(
      `select backend_xid is not null as "hasId" from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length === count && rows.map(({ hasId }) => hasId);
  });
}

/** The changes of the redirect from this path, in the order of the feed, once the feed has three changes of redirects. */
async function changesOf(from: string): Promise<string[]> {
  const changes = await tenant.feed(3, "&types=redirect.added,redirect.removed");
  return changes.flatMap(({ type, data }) => (data.redirect.from === from ? type : []));
}

describe("a publication that removes a redirect", () => {
  test.each([false, true])(
    "has its events after the creation of the redirect, which it waited for; on a schedule: %s",
    async (isScheduled) => {
      const { path } = await newLive(tenant, { title: "A" }, { slug: "a" });
      await tenant.patch(path, { slug: "b" });
      const publishAt = inSeconds(3_600);
      if (isScheduled) dataOf(await tenant.post(`${path}/schedule`, { publishAt }));
      const redirects = await content.hold(REDIRECTS, [tenant.tenantId]);
      const creating = tenant.post("/v1/redirects", { from: "/article/b", to: "/elsewhere" });
      await waiters(1);
      const publishing = isScheduled ? makeDue(content, publishAt) : tenant.post(`${path}/publish`);
      expect(await waiters(2)).toEqual([false, false]);
      await redirects.release();
      const published = await publishing;
      if (typeof published !== "string") expect(outcome(published)).toBe("200");
      expect(outcome(await creating)).toBe("201");
      expect(await changesOf("/article/b")).toEqual(["redirect.added", "redirect.removed"]);
    },
  );

  test("begins again if the entry gets another slug before it is locked", async () => {
    const { path, id } = await newLive(tenant, { title: "A" }, { slug: "a" });
    await tenant.patch(path, { data: { title: "B" } });
    const entry = await content.hold("select from entries where id = $1 for update", [id]);
    const moving = tenant.patch(path, { slug: "b" });
    await waiters(1);
    const publishing = tenant.post(`${path}/publish`, undefined, { "idempotency-key": "publish" });
    await waiters(2);
    await entry.release();
    expect([await moving, await publishing].map(outcome)).toEqual(["200", "200"]);
    const resolved = await tenant.get("/v1/redirects/resolve?path=/article/a");
    expect(dataOf(resolved).to).toBe("/article/b");
  });
});

test("a publication at the same path does not wait for the tenant's redirects", async () => {
  const { path } = await newLive(tenant, { title: "A" }, { slug: "a" });
  await tenant.patch(path, { data: { title: "B" } });
  const redirects = await content.hold(REDIRECTS, [tenant.tenantId]);
  expect(outcome(await tenant.post(`${path}/publish`))).toBe("200");
  await redirects.release();
});

const ENTRY = "select from entries where tenant_id = $1 for update";
const put = () => tenant.put("/v1/content-types/article", { name: "Article", fields: ARTICLE });

test.each<[string, string, (path: string, file: string) => Promise<ClientResponse>]>([
  ["PATCH of an entry", ENTRY, (path) => tenant.patch(path, { data: { title: "B" } })],
  ["publish", ENTRY, (path) => tenant.post(`${path}/publish`)],
  ["schedule", ENTRY, (path) => tenant.post(`${path}/schedule`, { publishAt: inSeconds(3_600) })],
  ["restore", ENTRY, (path) => tenant.post(`${path}/revisions/1/restore`)],
  ["unpublish", ENTRY, (path) => tenant.post(`${path}/unpublish`)],
  ["DELETE of an entry", ENTRY, (path) => tenant.delete(path)],
  ["PUT of a content type", "select from content_types where tenant_id = $1 for update", put],
  ["DELETE of a file", "select from media where tenant_id = $1 for update", (_, file) => tenant.delete(file)],
])("%s has no transaction id while it waits for its resource", async (_what, lock, change) => {
  const { path } = await newLive(tenant, { title: "A" });
  await tenant.patch(path, { data: { title: "Draft" } });
  const { id } = dataOf(await upload(tenant, "text", "a.txt"));
  const resource = await content.hold(lock, [tenant.tenantId]);
  const changing = change(path, `/v1/media/${id}`);
  expect(await waiters(1)).toEqual([false]);
  await resource.release();
  expect(outcome(await changing)).toBe("200");
});
