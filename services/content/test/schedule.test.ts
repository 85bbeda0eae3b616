// Schedules: a scheduled revision goes live unchanged and not before its time, and not at all once the schedule is
// cancelled. If publishing fails, the entry shows why, and it is retried.
import { randomUUID } from "node:crypto";
import { invalidFields, until } from "@tradepost/testing";
import { makeDue } from "./support/due-entries.ts";
import { ARTICLE, dataOf, inSeconds, newDraft, newLive, outcome, putType } from "./support/editing.ts";
import { insertMedia } from "./support/media-client.ts";
import { sharedTestContent } from "./support/test-content.ts";

const content = await sharedTestContent();
const tenant = content.newTenant();
await putType(tenant, "article", [...ARTICLE, { key: "image", type: "media", required: false }]);

describe("a schedule", () => {
  const typesOf = async (id: string) => (await content.events(id)).map(({ type }) => type);
  const untilPublished = (path: string) =>
    until("the entry to be live", async () => {
      const { status, body } = await tenant.get(`${path}?version=published`);
      return status === 200 && body.data.publishAt === null && body.data;
    });

  test.each<[string, unknown]>([
    ["the past", inSeconds(-1)],
    ["a long past", "0001-01-01T00:00:00Z"],
    ["more than five years", inSeconds((5 * 366 + 1) * 86_400)],
    ["the end of time", "9999-12-31T23:59:59-23:59"],
    ["a date without a time", "2099-01-01"],
    ["a day that does not exist", "2027-02-30T00:00:00Z"],
    ["a time without a zone", "2027-01-01T00:00:00"],
    ["a number", 1],
    ["null", null],
    ["nothing", undefined],
  ])("is refused for %s", async (_what, publishAt) => {
    const { path, id } = await newDraft(tenant, { title: "A" });
    expect(invalidFields(await tenant.post(`${path}/schedule`, { publishAt }))).toBe("publishAt");
    expect(await typesOf(id)).toEqual(["content.entry.created", "content.revision.created"]);
  });

  test("accepts any time zone, shows UTC, and reaches up to five years ahead", async () => {
    const { path } = await newDraft(tenant, { title: "A" });
    const far = inSeconds(5 * 365 * 86_400 - 60);
    const withOffset = far.replace(/T(.*)Z$/, "T$1+00:00");
    expect(dataOf(await tenant.post(`${path}/schedule`, { publishAt: withOffset })).publishAt).toBe(far);
  });

  test("publishes its revision and redirects from the old path to the new one", async () => {
    const { path, id } = await newLive(tenant, { title: "Old" }, { slug: "old" });
    await tenant.patch(path, { slug: "due", data: { title: "Due" } });
    const publishAt = inSeconds(3_600);
    const scheduled = await tenant.post(`${path}/schedule`, { publishAt });
    await tenant.patch(path, { slug: "later", data: { title: "Later" } });
    expect(dataOf(await tenant.get(`${path}?version=published`)).slug).toBe("old");
    const dueAt = await makeDue(content, publishAt);
    const live = await until("the new revision to be live", async () => {
      const { data } = (await tenant.get(`${path}?version=published`)).body;
      return data.slug === "due" && data;
    });
    expect(live).toMatchObject({
      ...{ status: "published", publishedRevision: 2, publishAt: null, hasUnpublishedChanges: true },
      data: { title: "Due" },
    });
    expect(Date.parse(live.publishedAt)).toBeGreaterThanOrEqual(Date.parse(dueAt));
    const moved = await tenant.get("/v1/redirects/resolve?path=/article/old");
    expect(dataOf(moved).to).toBe("/article/due");
    const draft = { revision: 3, slug: "later", data: { title: "Later" } };
    expect(dataOf(await tenant.get(path))).toMatchObject(draft);
    const events = (await content.events(id)).slice(-4);
    expect(events.map(({ type }) => type)).toEqual([
      "content.entry.scheduled",
      "content.entry.updated",
      "content.revision.created",
      "content.entry.published",
    ]);
    // The request that scheduled it is the cause.
    const requestId = scheduled.headers.get("x-request-id");
    expect(events[3]).toMatchObject({ request_id: requestId, actor: { name: "Test Owner" } });
  });

  test("that is cancelled or moved, or whose entry is deleted, does not publish", async () => {
    const publishAt = inSeconds(3_600);
    const drafts = [];
    for (const title of ["Cancelled", "Postponed", "Deleted", "Due"]) {
      const draft = await newDraft(tenant, { title });
      await tenant.post(`${draft.path}/schedule`, { publishAt });
      drafts.push(draft);
    }
    const [cancelled = "", postponed = "", deleted = "", due = ""] = drafts.map(({ path }) => path);
    expect(outcome(await tenant.delete(`${cancelled}/schedule`))).toBe("200");
    dataOf(await tenant.post(`${postponed}/schedule`, { publishAt: inSeconds(7_200) }));
    await tenant.delete(deleted);
    await makeDue(content, publishAt);
    // This one is due at the same time and was scheduled last: once it is live, the time of the others has passed.
    await untilPublished(due);
    const next = await newDraft(tenant, { title: "Next" });
    const nextAt = inSeconds(3_600);
    await tenant.post(`${next.path}/schedule`, { publishAt: nextAt });
    await makeDue(content, nextAt);
    await untilPublished(next.path);
    expect(dataOf(await tenant.get(cancelled))).toMatchObject({ status: "draft", publishAt: null });
    expect(dataOf(await tenant.get(postponed))).toMatchObject({ status: "scheduled", publishedAt: null });
    const published = (await content.events(tenant.tenantId)).filter(
      ({ type }) => type === "content.entry.published",
    );
    const ids = drafts.slice(0, 3).map(({ id }) => id);
    expect(published.filter(({ data }) => ids.includes(data.entry.id))).toEqual([]);
  });

  test("that fails shows why, and is retried until it succeeds", async () => {
    const image = randomUUID();
    await insertMedia(content, tenant.tenantId, image);
    const { path, id } = await newDraft(tenant, { title: "A", image });
    const publishAt = inSeconds(3_600);
    await tenant.post(`${path}/schedule`, { publishAt });
    await content.sql("delete from media where id = $1", [image]);
    const dueAt = await makeDue(content, publishAt);
    const failed = await until("publishing to fail", async () => {
      const { data } = (await tenant.get(path)).body;
      return data.scheduleError !== undefined && data;
    });
    expect(failed).toMatchObject({ status: "scheduled", publishAt: dueAt, publishedRevision: null });
    expect(failed.scheduleError).toBe("data.image: no such media asset");
    await insertMedia(content, tenant.tenantId, image);
    await content.sql("update entries set schedule_try_at = now() where id = $1", [id]);
    const live = await untilPublished(path);
    expect(live).toMatchObject({ status: "published", publishedRevision: 1 });
    expect("scheduleError" in live).toBe(false);
    expect((await typesOf(id)).slice(-2)).toEqual(["content.entry.scheduled", "content.entry.published"]);
  });

  test("loses its error with a new time, on publishing and on cancelling", async () => {
    for (const action of [
      (path: string) => tenant.post(`${path}/schedule`, { publishAt: inSeconds(7_200) }),
      (path: string) => tenant.post(`${path}/publish`),
      (path: string) => tenant.delete(`${path}/schedule`),
    ]) {
      const { path, id } = await newDraft(tenant, { title: "A" });
      await tenant.post(`${path}/schedule`, { publishAt: inSeconds(3_600) });
      await content.sql("update entries set schedule_error = 'Why.' where id = $1", [id]);
      expect(dataOf(await tenant.get(path)).scheduleError).toBe("Why.");
      expect("scheduleError" in dataOf(await action(path))).toBe(false);
    }
  });
});
