// An entry's revisions: each write adds one with its author; each can be read and restored.
import { randomUUID } from "node:crypto";
import { readPages } from "@tradepost/testing";
import { dataOf, newDraft, newLive, outcome, putType } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

let tenant: TestTenant;
const content = await sharedTestContent();

describe("revisions", () => {
  beforeEach(async () => {
    tenant = content.newTenant();
    await putType(tenant);
  });

  test("are listed newest first with their authors, page by page", async () => {
    const { path } = await newDraft(tenant, { title: "1" }, { slug: "a" });
    for (const title of ["2", "3", "4", "5"])
      await tenant.patch(path, { slug: `a-${title}`, data: { title } });
    const all = dataOf(await tenant.get(`${path}/revisions`));
    expect(all[0]).toEqual({
      ...{ revision: 5, slug: "a-5", data: { title: "5" } },
      actor: { type: "user", id: expect.any(String), name: "Test Owner" },
      createdAt: expect.any(String),
    });
    expect(all.map(({ revision }: { revision: number }) => revision)).toEqual([5, 4, 3, 2, 1]);
    const write = () => tenant.patch(path, { data: { title: randomUUID() } });
    const pages = await readPages(tenant, `${path}/revisions?limit=2`, write);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(all);
  });

  test("are read by number, as the live one and as the draft", async () => {
    const { path } = await newDraft(tenant, { title: "1" });
    await tenant.patch(path, { data: { title: "2" } });
    expect(outcome(await tenant.get(`${path}?version=published`))).toBe("404 not_found");
    await tenant.post(`${path}/publish`);
    await tenant.patch(path, { data: { title: "3" } });
    const titles = [];
    for (const version of ["1", "2", "3", "draft", "published"]) {
      const { revision, data, status, publishedRevision } = dataOf(
        await tenant.get(`${path}?version=${version}`),
      );
      titles.push(`${revision} ${data.title} ${status} ${publishedRevision}`);
    }
    const state = "published 2";
    expect(titles).toEqual([`1 1 ${state}`, `2 2 ${state}`, `3 3 ${state}`, `3 3 ${state}`, `2 2 ${state}`]);
    expect(outcome(await tenant.get(`${path}?version=4`))).toBe("404 not_found");
    for (const version of ["0", "-1", "1.5", "latest", "", "99999999999"]) {
      expect([version, (await tenant.get(`${path}?version=${version}`)).status]).toEqual([version, 422]);
    }
  });

  test("are restored as new revisions, if that changes anything", async () => {
    const { path } = await newLive(tenant, { title: "1", body: "B" }, { slug: "a" });
    await tenant.patch(path, { slug: "b", data: { title: "2", body: null } });
    const restored = dataOf(await tenant.post(`${path}/revisions/1/restore`));
    expect(restored).toMatchObject({
      ...{ revision: 3, publishedRevision: 1, hasUnpublishedChanges: true },
      ...{ slug: "a", data: { title: "1", body: "B" } },
    });
    for (const same of [1, 3]) {
      expect(dataOf(await tenant.post(`${path}/revisions/${same}/restore`))).toEqual(restored);
    }
    for (const none of ["0", "4", "x", "99999999999", "1e0", "%00"]) {
      expect([none, (await tenant.post(`${path}/revisions/${none}/restore`)).status]).toEqual([none, 404]);
    }
  });

  test("of concurrent changes have no gaps, and their events have the same order", async () => {
    const { path, id } = await newDraft(tenant, { title: "1" });
    const titles = Array.from({ length: 20 }, () => randomUUID());
    const responses = await Promise.all(titles.map((title) => tenant.patch(path, { data: { title } })));
    const numbers = responses.map((response) => dataOf(response).revision as number);
    const expected = Array.from({ length: 20 }, (_, index) => index + 2);
    expect(numbers.sort((a, b) => a - b)).toEqual(expected);
    const all: { revision: number; data: unknown }[] = dataOf(
      await tenant.get(`${path}/revisions?limit=100`),
    );
    expect(all.map(({ revision }) => revision)).toEqual([...expected].reverse().concat(1));
    const events = await content.events(tenant.tenantId, 43);
    const written = events.filter(({ type }) => type === "content.revision.created");
    expect(
      written.map(({ data }) => [data.revision.entryId, data.revision.revision, data.revision.data]),
    ).toEqual(all.reverse().map(({ revision, data }) => [id, revision, data]));
    const updated = events.filter(({ type }) => type === "content.entry.updated");
    expect(updated.map(({ data }) => data.entry.revision)).toEqual(expected);
  });

  test("written during concurrent publications leave one of them live", async () => {
    const { path } = await newDraft(tenant, { title: "1" });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => [
        tenant.patch(path, { data: { title: `${index + 2}` } }),
        tenant.post(`${path}/publish`),
      ]).flat(),
    );
    const entry = dataOf(await tenant.get(path));
    const live = dataOf(await tenant.get(`${path}?version=published`));
    expect([entry.revision, live.revision]).toEqual([11, entry.publishedRevision]);
    expect(entry.hasUnpublishedChanges).toBe(entry.publishedRevision !== 11);
    expect(dataOf(await tenant.get(`${path}?version=${live.revision}`)).data).toEqual(live.data);
  });
});
