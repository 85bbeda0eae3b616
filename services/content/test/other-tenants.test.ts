// On every route, another tenant's entry looks like one that does not exist, and stays unchanged.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { dataOf, inSeconds, newLive, putType } from "./support/editing.ts";
import {
  type RecordedEvent,
  sharedTestContent,
  type TestContent,
  type TestTenant,
} from "./support/test-content.ts";

const ROUTES: [string, string, object?][] = [
  ["GET", ""],
  ["GET", "?version=published"],
  ["GET", "?version=1"],
  ["PATCH", "", { data: {} }],
  ["PATCH", "", { slug: "taken", data: { title: "Eve" } }],
  ["DELETE", ""],
  ["POST", "/publish"],
  ["POST", "/schedule", { publishAt: inSeconds(3_600) }],
  ["DELETE", "/schedule"],
  ["POST", "/unpublish"],
  ["GET", "/revisions"],
  ["POST", "/revisions/1/restore"],
];

describe("another tenant's entry", () => {
  let content: TestContent;
  let eventsOf: (id: string) => Promise<RecordedEvent[]>;
  let [ours, theirs]: TestTenant[] = [];
  beforeAll(async () => {
    content = await sharedTestContent();
    eventsOf = await content.recordEvents();
    [ours, theirs] = [content.newTenant(), content.newTenant()];
    for (const tenant of [ours, theirs]) await putType(tenant);
  });

  test.each(ROUTES.map(([method, rest, body]) => [method, rest, body] as const))(
    "is not found by %s /v1/entries/{id}%s",
    async (method, rest, body) => {
      const [we, they] = [ours, theirs] as [TestTenant, TestTenant];
      const { path, id } = await newLive(they, { title: "Theirs" }, { slug: randomUUID() });
      const before = [await they.get(path), await eventsOf(id)].map((seen) =>
        "body" in seen ? seen.body : seen,
      );
      const request = async (entryPath: string) => {
        const { status, body: response } = await we.send(method, entryPath + rest, {
          headers: body === undefined ? {} : { "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return [status, { ...response.error, requestId: "" }];
      };
      const response = await request(path);
      expect(response).toEqual([404, { code: "not_found", message: "No such entry.", requestId: "" }]);
      expect(await request(`/v1/entries/${randomUUID()}`)).toEqual(response);
      expect((await request("/v1/entries/none"))[0]).toBe(404);
      expect([(await they.get(path)).body, await eventsOf(id)]).toEqual(before);
    },
  );

  test("is in no list, and its old path has no redirect", async () => {
    const [we, they] = [ours, theirs] as [TestTenant, TestTenant];
    const { path } = await newLive(they, { title: "Theirs" }, { slug: "was" });
    await they.patch(path, { slug: "is" });
    await they.post(`${path}/publish`);
    expect((await they.get("/v1/redirects/resolve?path=/article/was")).status).toBe(200);
    expect((await we.get("/v1/redirects/resolve?path=/article/was")).status).toBe(404);
    expect(dataOf(await we.get("/v1/entries"))).toEqual([]);
  });
});
