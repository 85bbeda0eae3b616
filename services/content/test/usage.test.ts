// A tenant's use of this service, as the gateway reads it: it is exact after each change (interface §19).
import { until } from "@tradepost/testing";
import { picture, upload, uploadAndWait } from "./support/media-client.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

const content = await sharedTestContent();

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

test("one request returns the bytes of many tenants", async () => {
  const [tenant, another, idle] = [content.newTenant(), content.newTenant(), content.newTenant()];
  await upload(tenant, "12345");
  await upload(another, "123");
  const tenantIds = [tenant, another, idle].map(({ tenantId }) => tenantId);
  const { data } = (await idle.post("/internal/usage", { tenantIds })).body;
  const expected = await Promise.all([tenant, another, idle].map(async (one) => (await usage(one)).bytes));
  expect(data).toEqual(tenantIds.map((tenantId, index) => ({ tenantId, bytes: expected[index] })));
  expect(expected.map((bytes) => bytes.mediaBytes)).toEqual([5, 3, 0]);
  expect((await idle.post("/internal/usage", { tenantIds: Array(501).fill(idle.tenantId) })).status).toBe(
    422,
  );
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
