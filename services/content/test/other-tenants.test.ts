// Another tenant's entry looks on every route exactly like one that does not exist, and nothing happens to it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { inSeconds, newLive, putType, wanted } from "./support/editing.ts";
import {
  type NotedEvent,
  startTestContent,
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
  let told: (id: string) => Promise<NotedEvent[]>;
  let [ours, theirs]: TestTenant[] = [];
  beforeAll(async () => {
    content = await startTestContent();
    told = await content.noteEvents();
    [ours, theirs] = [content.newTenant(), content.newTenant()];
    for (const tenant of [ours, theirs]) await putType(tenant);
  });
  afterAll(() => content.stop());

  test.each(ROUTES.map(([method, rest, body]) => [method, rest, body] as const))(
    "is not found by %s …%s",
    async (method, rest, body) => {
      const [we, they] = [ours, theirs] as [TestTenant, TestTenant];
      const { path, id } = await newLive(they, { title: "Theirs" }, { slug: randomUUID() });
      const before = [await they.get(path), await told(id)].map((seen) =>
        "body" in seen ? seen.body : seen,
      );
      const call = async (entryPath: string) => {
        const { status, body: answer } = await we.send(method, entryPath + rest, {
          headers: body === undefined ? {} : { "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return [status, { ...answer.error, requestId: "" }];
      };
      const answer = await call(path);
      expect(answer).toEqual([404, { code: "not_found", message: "No such entry.", requestId: "" }]);
      expect(await call(`/v1/entries/${randomUUID()}`)).toEqual(answer);
      expect((await call("/v1/entries/none"))[0]).toBe(404);
      expect([(await they.get(path)).body, await told(id)]).toEqual(before);
    },
  );

  test("is in no list, and its path leads nowhere", async () => {
    const [we, they] = [ours, theirs] as [TestTenant, TestTenant];
    const { path } = await newLive(they, { title: "Theirs" }, { slug: "was" });
    await they.patch(path, { slug: "is" });
    await they.post(`${path}/publish`);
    expect((await they.get("/v1/redirects/resolve?path=/article/was")).status).toBe(200);
    expect((await we.get("/v1/redirects/resolve?path=/article/was")).status).toBe(404);
    expect(wanted(await we.get("/v1/entries"))).toEqual([]);
  });
});
