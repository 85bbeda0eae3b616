// GET /v1/content/events lists the events of entries, content types, media and redirects (interface §10). The feed itself is
// tested in packages/change-feed.
import { until } from "@tradepost/testing";
import { newDraft, putType } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

const content = await sharedTestContent();

/** The types of the first events, in order. Waits for them: a transaction that another test file holds open hides them. */
async function typesOf(tenant: TestTenant, count: number, query = ""): Promise<string[]> {
  return await until(`${count} events`, async () => {
    const { body } = await tenant.get(`/v1/content/events?limit=100${query}`);
    const types = body.data.map(({ type }: { type: string }) => type);
    return types.length >= count && types;
  });
}

describe("the feed of content", () => {
  test("has each change in its order", async () => {
    const tenant = content.newTenant();
    await putType(tenant);
    const { path: entry } = await newDraft(tenant, { title: "Home" }, { slug: "home" });
    await tenant.post(`${entry}/publish`);
    const { body: added } = await tenant.post("/v1/redirects", { from: "/a", to: "/b" });
    await tenant.delete(`/v1/redirects/${added.data.id}`);
    await tenant.delete(entry);
    expect(await typesOf(tenant, 8)).toEqual([
      "content_type.upserted",
      "content.entry.created",
      "content.revision.created",
      "content.entry.published",
      "redirect.added",
      "redirect.removed",
      "content.entry.unpublished",
      "content.entry.deleted",
    ]);
    expect(await typesOf(tenant, 2, "&types=redirect.removed,content_type.upserted")).toEqual([
      "content_type.upserted",
      "redirect.removed",
    ]);
    const { body } = await tenant.get("/v1/content/events?types=redirect.added,redirect.removed");
    expect(body.data.map(({ data }: { data: unknown }) => data)).toEqual([
      { redirect: { ...added.data, version: 1 } },
      { redirect: { ...added.data, version: 2 } },
    ]);
  });

  test("refuses the types of other feeds, and names its own", async () => {
    const { status, body } = await content.newTenant().get("/v1/content/events?types=order.placed");
    expect(status).toBe(422);
    expect(body.error.details[0].message).toMatch(
      /content\.entry\.published.*media\.processed.*redirect\.added/,
    );
    expect(body.error.details[0].message).not.toContain("order.");
  });
});
