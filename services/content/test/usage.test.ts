// A tenant's use of this service, as the gateway reads it: it is exact after each change, and includes data from before it was
// counted (interface §19).
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { migrate } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { createTestDatabase, until } from "@tradepost/testing";
import pg from "pg";
import { picture, upload, uploadAndWait } from "./support/media-client.ts";
import { startTestContent, type TestContent, type TestTenant } from "./support/test-content.ts";

let content: TestContent;
beforeAll(async () => {
  content = await startTestContent();
});
afterAll(() => content.stop());

const usage = async (tenant: TestTenant) => (await tenant.get("/internal/usage?counts=true")).body.data;
const mediaBytes = async (tenant: TestTenant) => (await usage(tenant)).bytes.mediaBytes;

test("media count with their variants, until they are deleted", async () => {
  const [tenant, other] = [content.newTenant(), content.newTenant()];
  const image = await (await picture(1000, 500)).png().toBuffer();
  const { id, variants } = await uploadAndWait(tenant, image);
  const ofImage = variants.reduce(
    (sum: number, { sizeBytes }: { sizeBytes: number }) => sum + sizeBytes,
    image.length,
  );
  expect(await mediaBytes(tenant)).toBe(ofImage);
  await upload(tenant, "twelve bytes");
  expect(await mediaBytes(tenant)).toBe(ofImage + 12);
  await tenant.delete(`/v1/media/${id}`);
  expect([await mediaBytes(tenant), await mediaBytes(other)]).toEqual([12, 0]);
});

test("media that are uploaded and deleted at the same time are all counted", async () => {
  const tenant = content.newTenant();
  const uploaded = await Promise.all(Array.from({ length: 12 }, () => upload(tenant, "12345")));
  const deleted = uploaded.slice(0, 5).map(({ body }) => tenant.delete(`/v1/media/${body.data.id}`));
  await Promise.all([...deleted, upload(tenant, "1234567")]);
  expect(await mediaBytes(tenant)).toBe(7 * 5 + 7);
});

test("an upload beyond a quota stores nothing", async () => {
  const tenant = content.newTenant();
  for (const quota of ["mediaBytes", "eventBytes"] as const) {
    const stopped = content.newTenant(tenant.tenantId, undefined, { passedQuotas: [quota] });
    const { status, body } = await upload(stopped, "12345");
    expect([status, body.error.code, body.error.quota]).toEqual([409, "quota_exceeded", quota]);
  }
  expect(await content.sql("select from media where tenant_id = $1", [tenant.tenantId])).toEqual([]);
  expect(await content.sql("select from storage_leftovers where tenant_id = $1", [tenant.tenantId])).toEqual(
    [],
  );
});

test("what was stored before it was counted counts after the migration", async () => {
  const database = await createTestDatabase();
  const logger = createLogger("test", "silent");
  const folder = new URL("../migrations/", import.meta.url);
  await migrate({ url: database.url, folder, upTo: "0019-ended-links", logger });
  const client = new pg.Client(database.url);
  await client.connect();
  const [one, two] = [randomUUID(), randomUUID()];
  for (const [tenantId, bytes] of [
    [one, 100],
    [one, 20],
    [two, 3],
  ])
    await client.query(
      `insert into media (tenant_id, id, filename, content_type, size_bytes, sha256, status, variants, uploaded_by)
       values ($1, gen_random_uuid(), 'a', 'image/png', $2, '', 'ready', '[{"sizeBytes": 7}, {"sizeBytes": 1}]', '{}')`,
      [tenantId, bytes],
    );
  // The size of an event from before sizes were stored is null.
  await client.query(
    `insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor, data, size_bytes)
     values (1, gen_random_uuid(), gen_random_uuid(), 'a', $1, now(), '', '', '{}', '{"a": 1}', null),
            (2, gen_random_uuid(), gen_random_uuid(), 'a', $1, now(), '', '', '{}', '{"a": 1}', 8)`,
    [one],
  );
  await migrate({ url: database.url, folder, logger });
  const { rows } = await client.query(
    "select tenant_id, bytes::int as bytes from media_bytes order by bytes desc",
  );
  expect(rows).toEqual([
    { tenant_id: one, bytes: 136 },
    { tenant_id: two, bytes: 11 },
  ]);
  await client.query("delete from media where size_bytes = 100");
  await client.query("update media set variants = '[]' where size_bytes = 20");
  const after = await client.query("select bytes::int as bytes from media_bytes where tenant_id = $1", [one]);
  expect(after.rows).toEqual([{ bytes: 20 }]);
  const events = await client.query("select tenant_id, bytes::int as bytes from event_bytes");
  expect(events.rows).toEqual([{ tenant_id: one, bytes: 16 }]);
  await client.end();
  await database.drop();
});

test("events beyond a quota are refused, but not those of deletions", async () => {
  const tenant = content.newTenant();
  const redirect = (await tenant.post("/v1/redirects", { from: "/a", to: "/b" })).body.data;
  const stopped = content.newTenant(tenant.tenantId, undefined, { passedQuotas: ["eventBytes"] });
  const refused = await stopped.post("/v1/redirects", { from: "/c", to: "/d" });
  expect([refused.status, refused.body.error.code]).toEqual([409, "quota_exceeded"]);
  expect((await stopped.delete(`/v1/redirects/${redirect.id}`)).status).toBe(200);
  await until("the deletion counts", async () => (await usage(tenant)).bytes.eventBytes > 0);
  expect((await usage(tenant)).counts).toEqual({ entries: 0, redirects: 0 });
});
