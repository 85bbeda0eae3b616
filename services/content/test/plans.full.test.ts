// Prepared statements find rows by an index, even with plans that were made while the tables were nearly empty.
import { multiplyRows, recordStatements, until } from "@tradepost/testing";
import { insertDue, waitingCount } from "./support/due-entries.ts";
import { dataOf, inSeconds, newLive, putType } from "./support/editing.ts";
import { ownTestContent } from "./support/test-content.ts";

const ROWS = 20_000;

const content = await ownTestContent();
const recorder = await recordStatements(content.databaseUrl);
content.beforeStop(recorder.stop);

test("statements prepared on small tables read few rows of large ones", async () => {
  await useService();
  const reads = await recorder.largeReads(async (owner) => {
    // No queue has accepted the events. The relay may have tried to publish one; copies of an event that waits for its retry
    // would all wait too.
    await owner.query("update outbox set attempts = 0, next_try_at = now()");
    await multiplyRows(owner, ROWS);
    await owner.query(NEWER_DRAFTS);
  });
  expect(reads.filter(({ text }) => !countsAll(text))).toEqual([]);
  for (const part of ["into redirects", "published_revision = scheduled_revision", "entry_slugs"]) {
    expect(recorder.texts().find((text) => text.includes(part))).toBeDefined();
  }
});

/** The quota sums up the events that wait for the broker. An admin's request counts rows, at most once a minute. */
function countsAll(text: string): boolean {
  return text.includes("from event_bytes") || text.includes("count(*) from entries");
}

/** Lists of live entries must not read them. */
const NEWER_DRAFTS = `
  insert into entries (tenant_id, id, type, locale, slug, revision, created_at)
  select tenant_id, gen_random_uuid(), type, locale, 'draft', 1, now() + interval '1 hour'
    from (select * from entries limit 1) one, generate_series(1, ${ROWS})`;

/** Runs the statements of redirects, edits and scheduled entries, only on a replica whose statements are recorded. */
async function useService(): Promise<void> {
  await content.stopService();
  const replica = await content.startReplica({ CONTENT_DATABASE_URL: recorder.through(content.serviceUrl) });
  const tenant = content.newTenant(undefined, replica.url);
  await putType(tenant);
  const redirect = dataOf(await tenant.post("/v1/redirects", { from: "/a", to: "/b" }));
  await tenant.post("/v1/redirects", { from: "/c", to: "/d" });
  for (const _ of ["first", "repeated"]) {
    await tenant.post("/v1/redirects", { from: "/e", to: "/f" }, { "idempotency-key": "key" });
  }
  await tenant.get("/v1/redirects/resolve?path=/a");
  await tenant.get("/v1/redirects?from=/a");
  await tenant.delete(`/v1/redirects/${redirect.id}`);
  const { path } = await newLive(tenant, { title: "A" }, { slug: "a" });
  await tenant.patch(path, { slug: "b", data: { title: "B" } });
  await tenant.post(`${path}/publish`);
  for (const read of [
    path,
    `${path}/revisions`,
    "/v1/entries",
    "/v1/redirects?search=c&count=true",
    "/v1/redirects?search=/c&count=true",
    "/v1/entries?search=bb&count=true",
    "/v1/redirects",
    "/v1/content-types",
  ]) {
    await tenant.get(read);
  }
  expect((await tenant.get("/internal/usage?counts=true")).status).toBe(200);
  const feed = await tenant.get("/v1/content/events?limit=1");
  await tenant.get(`/v1/content/events?after=${feed.body.page.nextCursor}`);
  await tenant.get("/v1/content/events?after=now&waitSeconds=1");
  for (const version of ["draft", "published"]) {
    for (const filter of [
      "",
      "type=article",
      "slug=b",
      "type=article&slug=a",
      "status=scheduled",
      "status=draft",
    ]) {
      await tenant.get(`/v1/entries?version=${version}&${filter}`);
    }
  }
  for (const slugs of ["first-", "second-"]) {
    await insertDue(content, tenant, { count: 5, at: inSeconds(1), slugs });
    await until("the entries to be live", async () => (await waitingCount(content, tenant)) === 0);
  }
  await replica.stop();
}
