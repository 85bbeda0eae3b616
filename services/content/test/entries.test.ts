// An entry from draft to live to deleted, and its events: one for each transition, with the data of its transaction, in the feed of
// the tenant's content (interface §10). The feed itself is tested in packages/change-feed.
import { eventData } from "@tradepost/event-catalog";
import { faults } from "./support/editing.ts";
import { sharedTestContent } from "./support/test-content.ts";

const FIELDS = [
  { key: "title", type: "text", required: true },
  { key: "body", type: "richtext", required: false },
  { key: "rating", type: "number", required: false },
];

const content = await sharedTestContent();

describe("an entry", () => {
  test("is created, published, changed, moved, unpublished and deleted, with one event for each", async () => {
    const tenant = content.newTenant();
    const type = await tenant.put("/v1/content-types/article", { name: "Article", fields: FIELDS });
    const created = { slug: "article", name: "Article", fields: FIELDS, version: 1 };
    expect([type.status, type.body.data]).toEqual([201, created]);
    const { status, body } = await tenant.post("/v1/entries", { type: "article", data: { body: "Soon." } });
    expect(status).toBe(201);
    const draft = body.data;
    expect(draft).toEqual({
      id: expect.any(String),
      type: "article",
      slug: draft.id,
      locale: "en",
      status: "draft",
      hasUnpublishedChanges: true,
      revision: 1,
      publishedRevision: null,
      publishedAt: null,
      publishAt: null,
      data: { body: "Soon." },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      version: 1,
    });
    const path = `/v1/entries/${draft.id}`;
    const early = await tenant.post(`${path}/publish`, undefined);
    expect([early.status, faults(early)]).toEqual([422, { "data.title": "is required" }]);
    const changed = await tenant.patch(path, { slug: "soon", data: { title: "Soon", body: null } });
    expect(changed.body.data).toMatchObject({ revision: 2, slug: "soon", data: { title: "Soon" } });
    expect((await tenant.patch(path, { data: { title: "Soon" } })).body.data.revision).toBe(2);
    const live = await tenant.post(`${path}/publish`, undefined);
    expect(live.body.data).toMatchObject({
      status: "published",
      hasUnpublishedChanges: false,
      publishedRevision: 2,
      publishedAt: expect.any(String),
    });
    expect((await tenant.post(`${path}/publish`, undefined)).body.data).toEqual(live.body.data);
    await tenant.patch(path, { slug: "now", data: { rating: 4.5 } });
    expect((await tenant.get(`${path}?version=published`)).body.data).toMatchObject({
      slug: "soon",
      revision: 2,
      hasUnpublishedChanges: true,
      data: { title: "Soon" },
    });
    await tenant.post(`${path}/publish`, undefined);
    const resolved = await tenant.get("/v1/redirects/resolve?path=/article/soon");
    expect(resolved.body.data).toMatchObject({ from: "/article/soon", to: "/article/now", type: 301 });
    expect((await tenant.post(`${path}/unpublish`, undefined)).body.data.status).toBe("draft");
    expect((await tenant.post(`${path}/unpublish`, undefined)).body.error.code).toBe("invalid_transition");
    expect((await tenant.delete(path)).body.data).toEqual({ id: draft.id, deleted: true });
    expect((await tenant.get(path)).status).toBe(404);

    await tenant.delete(`/v1/redirects/${resolved.body.data.id}`);

    const events = await tenant.feed(13);
    for (const { type: eventType, data } of events)
      expect(eventData[eventType]?.schema.parse(data)).toEqual(data);
    expect(events.map((event) => event.type)).toEqual([
      "content_type.upserted",
      ...["content.entry.created", "content.revision.created"],
      ...["content.entry.updated", "content.revision.created"],
      "content.entry.published",
      ...["content.entry.updated", "content.revision.created"],
      "redirect.added",
      "content.entry.published",
      "content.entry.unpublished",
      "content.entry.deleted",
      "redirect.removed",
    ]);
    expect(events[5].data.entry).toEqual(live.body.data);
    const some = await tenant.feed(3, "&types=redirect.removed,content_type.upserted,redirect.added");
    expect(some).toEqual([events[0], events[8], events[12]]);
    expect(some.slice(1).map(({ data }) => data)).toEqual([
      { redirect: { ...resolved.body.data, version: 1 } },
      { redirect: { ...resolved.body.data, version: 2 } },
    ]);
  });

  test("names in each update what changed, and the slug before if it changed", async () => {
    const tenant = content.newTenant();
    await tenant.put("/v1/content-types/note", { name: "Note", fields: FIELDS });
    const { body } = await tenant.post("/v1/entries", { type: "note", slug: "a", data: { title: "A" } });
    const path = `/v1/entries/${body.data.id}`;
    await tenant.patch(path, { slug: "b", data: { rating: 1, title: "B" } });
    await tenant.patch(path, { data: { title: "C" } });
    await tenant.patch(path, { slug: "c" });
    await tenant.post(`${path}/publish`, undefined);
    const events = await tenant.feed(10);
    const differences = events
      .filter(({ type }) => type.startsWith("content.entry."))
      .map(({ type, data: { entry, ...more } }) => ({ type, slug: entry.slug, more }));
    const type = "content.entry.updated";
    expect(differences).toEqual([
      { type: "content.entry.created", slug: "a", more: {} },
      { type, slug: "b", more: { changedFields: ["title", "rating", "slug"], previousSlug: "a" } },
      { type, slug: "b", more: { changedFields: ["title"] } },
      { type, slug: "c", more: { changedFields: ["slug"], previousSlug: "b" } },
      { type: "content.entry.published", slug: "c", more: {} },
    ]);
  });
});

test("the feed refuses the types of other feeds, and names its own", async () => {
  const { status, body } = await content.newTenant().get("/v1/content/events?types=order.placed");
  expect(status).toBe(422);
  expect(body.error.details[0].message).toMatch(
    /content\.entry\.published.*media\.processed.*redirect\.added/,
  );
  expect(body.error.details[0].message).not.toContain("order.");
});
