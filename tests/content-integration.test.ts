// An integrator with an API key uses the content service through the gateway: live versions for a search index, conditional and
// repeated requests, and redirects from paths that people type.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ClientResponse } from "@tradepost/testing";
import { expectFailure } from "./support/expect-failure.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const FIELDS = [{ key: "title", type: "text", required: true }];
const JSON_TYPE = { "content-type": "application/json" };

describe("content through the gateway", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
    expectStatus(await tenant.owner.put("/v1/content-types/post", { name: "Post", fields: FIELDS }), 201);
  });
  afterAll(() => platform.stop());

  const newEntry = async (title: string, slug: string) => {
    const created = await tenant.key.post("/v1/entries", { type: "post", slug, data: { title } });
    expectStatus(created, 201);
    return `/v1/entries/${created.body.data.id}`;
  };
  const patch = (path: string, title: string, headers: Record<string, string> = {}) =>
    tenant.key.send("PATCH", path, {
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify({ data: { title } }),
    });

  test("a search index filled page by page has what is live, and no draft", async () => {
    const live: string[] = [];
    for (const number of [1, 2, 3, 4, 5]) {
      const path = await newEntry(`Live ${number}`, `live-${number}`);
      expectStatus(await tenant.key.post(`${path}/publish`), 200);
      expectStatus(await patch(path, `Draft of ${number}`), 200);
      await newEntry(`Never live ${number}`, `draft-${number}`);
      live.unshift(`live-${number}: Live ${number}`);
    }
    const index: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await tenant.key.get(`/v1/entries?version=published&type=post&limit=2${cursor}`);
      for (const { slug, data } of body.data) index.push(`${slug}: ${data.title}`);
      if (body.page.nextCursor === null) break;
      cursor = `&cursor=${body.page.nextCursor}`;
    }
    expect(index).toEqual(live);
    const found = await tenant.key.get("/v1/entries?version=published&slug=live-3");
    expect(found.body.data.map(({ data }: { data: { title: string } }) => data.title)).toEqual(["Live 3"]);
    expect((await tenant.key.get("/v1/entries?version=published&slug=draft-3")).body.data).toEqual([]);
  });

  test("an editor who has not seen the latest change gets 412, and a reader who has seen it 304", async () => {
    const path = await newEntry("First", "edited");
    const etag = String((await tenant.key.get(path)).headers.get("etag"));
    expectStatus(await patch(path, "Second", { "if-match": etag }), 200);
    const stale = await patch(path, "Third", { "if-match": etag });
    expectFailure(stale, 412, "version_mismatch");
    const current = String(stale.headers.get("etag"));
    expect((await tenant.key.get(path, { "if-none-match": current })).status).toBe(304);
    expectStatus(await tenant.key.post(`${path}/publish`, undefined, { "if-match": current }), 200);
    const read = await tenant.key.get(path, { "if-none-match": current });
    expect([read.status, read.body.data.revision, read.body.data.version]).toEqual([200, 2, 3]);
    expectFailure(
      await tenant.key.send("DELETE", path, { headers: { "if-match": current } }),
      412,
      "version_mismatch",
    );
  });

  test("a repeated request is carried out once", async () => {
    const key = { "idempotency-key": randomUUID() };
    const entry = { type: "post", data: { title: "Once" } };
    const first = await tenant.key.post("/v1/entries", entry, key);
    const again = await tenant.key.post("/v1/entries", entry, key);
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
    const reused = await tenant.key.post("/v1/entries", { type: "post", data: {} }, key);
    expect([reused.status, reused.body.error.code]).toEqual([422, "idempotency_key_reused"]);
  });

  test("a redirect starts at a path as people type it", async () => {
    const created = await tenant.key.post("/v1/redirects", { from: "/a b/ü", to: "/new" });
    expect([created.status, created.body.data.from]).toEqual([201, "/a%20b/%C3%BC"]);
    for (const query of [
      "redirects/resolve?path=/a%20b/%C3%BC",
      "redirects/resolve?path=%2Fa%2520b%2F%25C3%25BC",
    ]) {
      expect((await tenant.key.get(`/v1/${query}`)).body.data.id).toBe(created.body.data.id);
    }
    const listed = await tenant.key.get(`/v1/redirects?from=${encodeURIComponent("/a b/ü/")}`);
    expect(listed.body.data).toEqual([created.body.data]);
  });
});

function expectStatus({ status, text }: ClientResponse, expected: number): void {
  expect([status, text]).toEqual([expected, text]);
}
