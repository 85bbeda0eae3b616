// Versions and conditional requests (interface §1): every change of an entry moves its version, which responses carry as
// ETag, and a request with If-Match changes only the version that it names.
import { type ClientResponse, until } from "@tradepost/testing";
import { ARTICLE, dataOf, inSeconds, newDraft, newLive, outcome, putType } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

const PUBLISH_AT = inSeconds(3_600);

type Send = (tenant: TestTenant, path: string, headers: Record<string, string>) => Promise<ClientResponse>;
const send =
  (method: string, rest: string, body?: unknown): Send =>
  (tenant, path, headers) =>
    tenant.send(method, path + rest, {
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

const content = await sharedTestContent();
const tenant = content.newTenant();
await putType(tenant);

describe("the version of an entry", () => {
  /** An entry that is live with changes and scheduled. */
  const newEntry = async () => {
    const { path, id } = await newLive(tenant, { title: "First" });
    dataOf(await tenant.patch(path, { data: { title: "Second" } }));
    dataOf(await tenant.post(`${path}/schedule`, { publishAt: PUBLISH_AT }));
    return { path, id, version: dataOf(await tenant.get(path)).version as number };
  };

  test("is 1 at first, also if its slug had to be extended, and its ETag", async () => {
    for (const _ of [1, 2]) {
      const created = await tenant.post("/v1/entries", { type: "article", data: { title: "Same title" } });
      expect([created.status, created.body.data.version]).toEqual([201, 1]);
      expect(created.headers.get("etag")).toBe('"1"');
      const read = await tenant.get(`/v1/entries/${created.body.data.id}`);
      expect([read.body.data.version, read.headers.get("etag")]).toEqual([1, '"1"']);
    }
  });

  test("moves twice when a live entry is deleted, with its two events", async () => {
    const { path, id, version } = await newEntry();
    dataOf(await tenant.delete(path));
    const events = (await content.events(id)).slice(-2);
    expect(events.map(({ type, data }) => [type, data.entry.version])).toEqual([
      ["content.entry.unpublished", version + 1],
      ["content.entry.deleted", version + 2],
    ]);
    const [first, second] = events.map(({ data }) => data.entry.updatedAt);
    expect(first < second).toBe(true);
  });

  test("moves when a scheduled revision goes live, and when that fails", async () => {
    const live = await newDraft(tenant, { title: "In time" });
    const asset = "0198c5b3-7a10-7c44-9d2e-3b4c5d6e7f80";
    const fields = [...ARTICLE, { key: "also", type: "reference", required: false }];
    await putType(tenant, "linked", fields);
    const failing = await newDraft(tenant, { title: "Fails", also: live.id }, { type: "linked" });
    for (const { path } of [live, failing]) {
      dataOf(await tenant.post(`${path}/schedule`, { publishAt: inSeconds(2) }));
    }
    const data = JSON.stringify({ title: "Fails", also: asset });
    await content.sql("update entry_revisions set data = $2 where entry_id = $1", [failing.id, data]);
    const seen = async (path: string) => dataOf(await tenant.get(path));
    await until("the entry to be live", async () => (await seen(live.path)).publishedRevision === 1);
    await until("the failure to show", async () => (await seen(failing.path)).scheduleError !== undefined);
    expect([(await seen(live.path)).version, (await seen(failing.path)).version]).toEqual([3, 3]);
    // The same failure again does not change the entry.
    await content.sql("update entries set schedule_try_at = now() where id = $1", [failing.id]);
    const later = "select from entries where id = $1 and schedule_try_at > now()";
    await until("another attempt", async () => (await content.sql(later, [failing.id])).length === 1);
    expect((await seen(failing.path)).version).toBe(3);
  });

  test("is checked after the body and the id, and before the state", async () => {
    const { path } = await newLive(tenant, { title: "A" });
    const stale = { "if-match": '"77"' };
    const unknown = "/v1/entries/0198c5b3-7a10-7c44-9d2e-3b4c5d6e7f80";
    const invalid = send("PATCH", "", { data: { title: 1 } });
    expect(outcome(await invalid(tenant, path, stale))).toBe("422 validation_error");
    expect(outcome(await send("POST", "/publish")(tenant, unknown, stale))).toBe("404 not_found");
    expect(outcome(await send("POST", "/revisions/9/restore")(tenant, path, stale))).toBe("404 not_found");
    expect(outcome(await send("DELETE", "/schedule")(tenant, path, stale))).toBe("412 version_mismatch");
    expect(outcome(await send("POST", "/publish")(tenant, path, stale))).toBe("412 version_mismatch");
    expect((await send("POST", "/publish")(tenant, path, { "if-match": "*" })).status).toBe(200);
  });

  test("lets one of several concurrent changes of the same version through", async () => {
    const { path, version } = await newEntry();
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => [
        send("PATCH", "", { data: { title: `By ${index}` } })(tenant, path, { "if-match": `"${version}"` }),
        send("POST", "/publish")(tenant, path, { "if-match": `"${version}"` }),
      ]).flat(),
    );
    const outcomes = responses.map(outcome).sort();
    expect(outcomes).toEqual(["200", ...Array(15).fill("412 version_mismatch")]);
    expect(dataOf(await tenant.get(path)).version).toBe(version + 1);
  });
});

describe("the version of a content type", () => {
  const put = (slug: string, name: string, headers: Record<string, string> = {}) =>
    send("PUT", slug, { name, fields: ARTICLE })(tenant, "/v1/content-types/", headers);

  test("with If-Match, a type that does not exist is not created", async () => {
    for (const tag of ["*", '"1"']) {
      expect(outcome(await put("none", "None", { "if-match": tag }))).toBe("412 version_mismatch");
    }
    expect(outcome(await tenant.get("/v1/content-types/none"))).toBe("404 not_found");
  });

  test("lets one of several concurrent changes of the same version through", async () => {
    dataOf(await put("raced", "0"));
    const names = Array.from({ length: 6 }, (_, index) => `Name ${index}`);
    const responses = await Promise.all(names.map((name) => put("raced", name, { "if-match": '"1"' })));
    expect(responses.map(outcome).sort()).toEqual(["200", ...Array(5).fill("412 version_mismatch")]);
  });
});
