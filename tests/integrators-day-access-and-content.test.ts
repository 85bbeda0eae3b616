// A day of an integrator with keys, staff and content: keys and passwords that change while everything works, and content
// that two people and a script edit. All of it is requested from outside, through the gateway.
import { randomUUID } from "node:crypto";
import net from "node:net";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ApiClient, apiClient, bearer, until } from "@tradepost/testing";
import { expectFailure } from "./support/expect-failure.ts";
import { allPages, dataOf, sendJson, TIME, UUID_V7 } from "./support/integrator.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SCOPES = ["read:crm", "read:content"];
const PASSWORD = "a long enough passphrase";
const OTHER_PASSWORD = "another fine passphrase";
const HOUR_MS = 3_600_000;

type Json = Record<string, unknown>;

describe("an integrator's day with keys, staff and content", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  let anyone: ApiClient;
  /** Used and revoked at the start, because the time of last use is written some seconds later. */
  let revoked: { id: string; revokedAt: string };
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
    anyone = apiClient(platform.url);
    const { id, key } = await makeKey();
    dataOf(await as(key).get("/v1/me"), 200);
    revoked = dataOf(await tenant.owner.delete(`/v1/api-keys/${id}`), 200);
    const fields = [{ key: "title", type: "text", required: true }];
    dataOf(await tenant.owner.put("/v1/content-types/post", { name: "Post", fields }), 201);
  });
  afterAll(() => platform.stop());

  const as = (token: string) => apiClient(platform.url, bearer(token));
  const makeKey = async (fields: Json = {}) =>
    dataOf(await tenant.owner.post("/v1/api-keys", { label: "Shop", scopes: SCOPES, ...fields }), 201);
  const makeUser = async (role: string, fields: Json = { password: PASSWORD }) => {
    const user = { email: `${randomUUID()}@shop.example`, name: "Clerk", role, ...fields };
    return dataOf(await tenant.owner.post("/v1/users", user), 201);
  };
  const signIn = async (email: string, password = PASSWORD) =>
    as(dataOf(await anyone.post("/v1/auth/login", { email, password }), 200).token);
  const actionsOn = async (targetId: string) =>
    (await allPages(tenant.owner, `/v1/audit-log?targetId=${targetId}&limit=100`)).map(
      ({ action }) => action,
    );

  describe("an API key", () => {
    test("ends with a checksum that a scanner can verify", async () => {
      for (let count = 0; count < 5; count++) {
        const { key } = await makeKey();
        expect(key).toMatch(/^sk_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
        expect(key.slice(-6)).toBe(base62(crc32(key.slice(0, -6))));
      }
    });

    test("is renamed, and expires earlier but never later", async () => {
      const { id } = await makeKey();
      const path = `/v1/api-keys/${id}`;
      const soon = inHours(1);
      for (const expiresAt of [inHours(2), soon]) {
        const key = dataOf(await tenant.owner.patch(path, { label: "Till", expiresAt }), 200);
        expect(key).toMatchObject({ id, label: "Till", expiresAt });
        expect(key.key).toBeUndefined();
      }
      for (const expiresAt of [inHours(3), null]) {
        const later = await tenant.owner.patch(path, { expiresAt });
        expectFailure(later, 422, "validation_error", ["expiresAt"]);
      }
      expect(dataOf(await tenant.owner.get(path), 200).expiresAt).toBe(soon);
      dataOf(await tenant.owner.delete(path), 200);
      expectFailure(await tenant.owner.patch(path, { label: "Gone" }), 409, "key_revoked");
      expectFailure(await tenant.owner.post(`${path}/rotate`, {}), 409, "key_revoked");
    });

    test("is rotated without a refused request, and only once at a time", async () => {
      const old = await makeKey({ label: "ERP" });
      const path = `/v1/api-keys/${old.id}/rotate`;
      expectFailure(await tenant.owner.post(path, { overlapHours: 169 }), 422, "validation_error", [
        "overlapHours",
      ]);
      const next = dataOf(await tenant.owner.post(path, { overlapHours: 2 }), 201);
      expect(next).toMatchObject({ label: "ERP", scopes: SCOPES, rotatedFrom: old.id, revokedAt: null });
      expect(next.key).not.toBe(old.key);
      for (const { id, key } of [old, next]) {
        expect(dataOf(await as(key).get("/v1/me"), 200).actor).toMatchObject({
          id,
          name: "ERP",
          scopes: SCOPES,
        });
      }
      const { expiresAt } = dataOf(await tenant.owner.get(`/v1/api-keys/${old.id}`), 200);
      expect(Math.abs(Date.parse(expiresAt) - Date.parse(next.createdAt) - 2 * HOUR_MS)).toBeLessThan(60_000);
      expectFailure(await tenant.owner.post(path, {}), 409, "rotation_in_progress");
      const last = await tenant.owner.post(`/v1/api-keys/${next.id}/rotate`, { overlapHours: 0 });
      dataOf(last, 201);
      expectFailure(await as(next.key).get("/v1/me"), 401, "unauthorized");
      expect(dataOf(await as(old.key).get("/v1/me"), 200).actor.id).toBe(old.id);
      for (const { id } of [old, next]) {
        expect(JSON.stringify(await actionsOn(id))).toContain("api_key.rotated");
      }
    });
  });

  describe("a user", () => {
    test("ends one of the own sessions, and all others with a new password", async () => {
      const { email, id } = await makeUser("viewer");
      const [lost, here, elsewhere] = [await signIn(email), await signIn(email), await signIn(email)];
      const sessions = dataOf(await here.get("/v1/me/sessions"), 200);
      expect(sessions.map(({ current }: Json) => current)).toEqual([false, true, false]);
      dataOf(await here.delete(`/v1/me/sessions/${sessions[2].id}`), 200);
      expectFailure(await lost.get("/v1/me"), 401, "unauthorized");
      expect(dataOf(await here.get("/v1/me/sessions"), 200)).toHaveLength(2);
      const change = (currentPassword: string, newPassword: string) =>
        here.post("/v1/me/password", { currentPassword, newPassword });
      expectFailure(await change("not my password", OTHER_PASSWORD), 422, "validation_error", [
        "currentPassword",
      ]);
      expectFailure(await change(PASSWORD, "short"), 422, "validation_error", ["newPassword"]);
      expectFailure(await change(PASSWORD, "aaaaaaaaaaaaaaaa"), 422, "validation_error", ["newPassword"]);
      dataOf(await change(PASSWORD, OTHER_PASSWORD), 200);
      expectFailure(await elsewhere.get("/v1/me"), 401, "unauthorized");
      dataOf(await here.get("/v1/me"), 200);
      expectFailure(await anyone.post("/v1/auth/login", { email, password: PASSWORD }), 401, "unauthorized");
      await signIn(email, OTHER_PASSWORD);
      expect(await actionsOn(id)).toContain("auth.password_changed");
      const key = await tenant.key.post("/v1/me/password", {
        currentPassword: PASSWORD,
        newPassword: OTHER_PASSWORD,
      });
      expectFailure(key, 403, "forbidden");
    });

    test("who is new or forgot the password gets a link that works once, and only the latest", async () => {
      const { id, email, setup, ...user } = await makeUser("editor", {});
      expect([user, setup]).toEqual([
        {
          ...{ name: "Clerk", role: "editor", active: true, state: "invited" },
          createdAt: expect.stringMatching(TIME),
        },
        { token: expect.stringMatching(/./), expiresAt: expect.stringMatching(TIME) },
      ]);
      const setUp = (token: string, password = PASSWORD) =>
        anyone.post("/v1/auth/setup", { token, password });
      expectFailure(await setUp(setup.token, "short"), 422, "validation_error", ["password"]);
      expect(dataOf(await setUp(setup.token), 200)).toMatchObject({ id, email });
      expectFailure(await setUp(setup.token), 401, "unauthorized");
      const before = await signIn(email);

      const link = async () => dataOf(await tenant.owner.post(`/v1/users/${id}/setup-link`), 201).token;
      const [earlier, latest] = [await link(), await link()];
      expectFailure(await setUp(earlier, OTHER_PASSWORD), 401, "unauthorized");
      dataOf(await before.get("/v1/me"), 200);
      dataOf(await setUp(latest, OTHER_PASSWORD), 200);
      expectFailure(await before.get("/v1/me"), 401, "unauthorized");
      await signIn(email, OTHER_PASSWORD);
    });

    test("is signed out everywhere by an admin, but an owner only by an owner", async () => {
      const { id, email } = await makeUser("editor");
      const admin = await signIn((await makeUser("admin")).email);
      const clerk = await signIn(email);
      const path = `/v1/users/${id}/sessions`;
      expect(dataOf(await admin.get(path), 200)).toHaveLength(1);
      dataOf(await admin.delete(path), 200);
      expectFailure(await clerk.get("/v1/me"), 401, "unauthorized");
      expect(dataOf(await admin.get(path), 200)).toEqual([]);
      const me = dataOf(await tenant.owner.get("/v1/me"), 200).actor.id;
      for (const [method, target] of [
        ["GET", `/v1/users/${me}/sessions`],
        ["DELETE", `/v1/users/${me}/sessions`],
        ["POST", `/v1/users/${me}/setup-link`],
      ] as const) {
        expectFailure(await admin.send(method, target), 403, "forbidden");
      }
      const otherAdmin = await makeUser("admin");
      const password = await admin.patch(`/v1/users/${otherAdmin.id}`, { password: OTHER_PASSWORD });
      expectFailure(password, 403, "forbidden");
    });
  });

  test("a PATCH of a key or a user that changes nothing is not in the audit log", async () => {
    const key = await makeKey();
    const user = await makeUser("viewer");
    dataOf(await tenant.owner.patch(`/v1/api-keys/${key.id}`, {}), 200);
    dataOf(await tenant.owner.patch(`/v1/api-keys/${key.id}`, { label: "Shop" }), 200);
    dataOf(await tenant.owner.patch(`/v1/users/${user.id}`, {}), 200);
    dataOf(await tenant.owner.patch(`/v1/users/${user.id}`, { name: "Clerk", active: true }), 200);
    expect(await actionsOn(key.id)).toEqual(["api_key.created"]);
    expect(await actionsOn(user.id)).toEqual(["user.created"]);
  });

  test("a repeated POST on keys and staff happens once, and shows no secret again", async () => {
    const { id: keyId } = await makeKey();
    const { id: userId } = await makeUser("viewer");
    const user = { email: `${randomUUID()}@shop.example`, name: "Twin", role: "viewer" };
    for (const [path, body, other, secret] of [
      ["/v1/api-keys", { label: "Once", scopes: [] }, { label: "Twice", scopes: [] }, "key"],
      [`/v1/api-keys/${keyId}/rotate`, { overlapHours: 1 }, { overlapHours: 2 }, "key"],
      ["/v1/users", user, { ...user, name: "Other" }, "setup.token"],
      [`/v1/users/${userId}/setup-link`, undefined, undefined, "token"],
    ] as const) {
      const key = { "idempotency-key": randomUUID() };
      const first = dataOf(await tenant.owner.post(path, body, key), 201);
      const again = await tenant.owner.post(path, body, key);
      expect([path, again.status, again.headers.get("idempotent-replayed")]).toEqual([path, 201, "true"]);
      const [outer = "", inner] = secret.split(".");
      const hidden = inner === undefined ? null : { ...first[outer], [inner]: null };
      expect(again.body.data).toEqual({ ...first, [outer]: hidden });
      if (other === undefined) continue;
      const reused = await tenant.owner.post(path, other, key);
      expect([path, reused.status, reused.body.error.code]).toEqual([path, 422, "idempotency_key_reused"]);
    }
    const labels = (await allPages(tenant.owner, "/v1/api-keys?limit=100")).map(({ label }) => label);
    expect(labels.filter((label) => label === "Once")).toHaveLength(1);
  });

  test("a request without Host gets the envelope and a request id", async () => {
    const { hostname, port } = new URL(platform.url);
    const response = await new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = net.connect(Number(port), hostname, () => socket.write("GET /v1/me HTTP/1.1\r\n\r\n"));
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text)).on("error", reject);
    });
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toMatch(/^x-request-id: [A-Za-z0-9._-]{1,128}\r$/im);
    expect(JSON.parse(response.split("\r\n\r\n")[1] ?? "")).toMatchObject({
      success: false,
      error: { code: "bad_request", requestId: expect.any(String) },
    });
  });

  const newEntry = async (title = "First") =>
    dataOf(await tenant.key.post("/v1/entries", { type: "post", data: { title } }), 201);
  const upload = async () => {
    const body = new FormData();
    body.append("file", new Blob(["text"]), "a.txt");
    const init = { method: "POST", headers: bearer(tenant.apiKey), body };
    const response = await fetch(`${platform.url}/v1/media`, init);
    return ((await response.json()) as { data: { id: string } }).data.id;
  };

  test("a repeated POST on content happens once", async () => {
    const [live, scheduled, draft] = [await newEntry(), await newEntry(), await newEntry()];
    dataOf(await tenant.key.post(`/v1/entries/${live.id}/publish`), 200);
    dataOf(await tenant.key.patch(`/v1/entries/${draft.id}`, { data: { title: "Second" } }), 200);
    const from = `/${randomUUID()}`;
    const media = await upload();
    const [publishAt, later] = [inHours(1), inHours(2)];
    for (const [path, body, other] of [
      ["/v1/redirects", { from, to: "/a" }, { from, to: "/b" }],
      ["/v1/entries", { type: "post", data: { title: "Once" } }, { type: "post", data: { title: "Twice" } }],
      [`/v1/entries/${draft.id}/revisions/1/restore`, undefined, undefined],
      [`/v1/entries/${draft.id}/publish`, undefined, undefined],
      [`/v1/entries/${live.id}/unpublish`, undefined, undefined],
      [`/v1/entries/${scheduled.id}/schedule`, { publishAt }, { publishAt: later }],
      [`/v1/media/${media}/links`, { expiresInSeconds: 60 }, { expiresInSeconds: 61 }],
    ] as const) {
      const key = { "idempotency-key": randomUUID() };
      const first = await tenant.key.post(path, body, key);
      expect([path, first.status < 300, first.text]).toEqual([path, true, first.text]);
      const again = await tenant.key.post(path, body, key);
      expect([path, again.status, again.text]).toEqual([path, first.status, first.text]);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      if (other === undefined) continue;
      const reused = await tenant.key.post(path, other, key);
      expect([path, reused.status, reused.body.error.code]).toEqual([path, 422, "idempotency_key_reused"]);
    }
    expect(dataOf(await tenant.key.get(`/v1/entries/${draft.id}`), 200).revision).toBe(3);
    expect(dataOf(await tenant.key.get("/v1/entries?slug=once"), 200)).toHaveLength(1);
  });

  test("every change of an entry moves its version, and is 412 for whoever has not seen the latest", async () => {
    const { id } = await newEntry();
    const path = `/v1/entries/${id}`;
    let updatedAt = "";
    for (const [method, target, body] of [
      ["PATCH", path, { data: { title: "Second" } }],
      ["POST", `${path}/publish`, undefined],
      ["POST", `${path}/revisions/1/restore`, undefined],
      ["POST", `${path}/schedule`, { publishAt: inHours(1) }],
      ["DELETE", `${path}/schedule`, undefined],
      ["POST", `${path}/unpublish`, undefined],
    ] as const) {
      const read = await tenant.key.get(path);
      const etag = String(read.headers.get("etag"));
      expect([method, target, etag]).toEqual([method, target, `"${read.body.data.version}"`]);
      const stale = await sendJson(tenant.key, method, target, body, { "if-match": '"77"' });
      expectFailure(stale, 412, "version_mismatch");
      const changed = await sendJson(tenant.key, method, target, body, { "if-match": etag });
      expect(dataOf(changed, 200).version).toBe(read.body.data.version + 1);
      expect(changed.headers.get("etag")).toBe(`"${changed.body.data.version}"`);
      expect(changed.body.data.updatedAt > updatedAt).toBe(true);
      ({ updatedAt } = changed.body.data);
    }
    expect(dataOf(await tenant.key.get(path), 200)).toMatchObject({
      revision: 3,
      status: "draft",
      version: 7,
    });
    expectFailure(
      await sendJson(tenant.key, "DELETE", path, undefined, { "if-match": '"6"' }),
      412,
      "version_mismatch",
    );
    const removed = await sendJson(tenant.key, "DELETE", path, undefined, { "if-match": '"7"' });
    expect(dataOf(removed, 200)).toEqual({ id, deleted: true });
  });

  test("a change of a content type that somebody else has changed is 412", async () => {
    const path = `/v1/content-types/t-${randomUUID()}`;
    const body = (name: string) => ({ name, fields: [{ key: "title", type: "text", required: false }] });
    const created = await tenant.owner.put(path, body("One"));
    const { version } = dataOf(created, 201);
    const etag = { "if-match": String(created.headers.get("etag")) };
    expect(etag["if-match"]).toBe(`"${version}"`);
    const changed = await sendJson(tenant.owner, "PUT", path, body("Two"), etag);
    expect(dataOf(changed, 200)).toMatchObject({ name: "Two", version: version + 1 });
    expectFailure(await sendJson(tenant.owner, "PUT", path, body("Three"), etag), 412, "version_mismatch");
    const current = { "if-none-match": String(changed.headers.get("etag")) };
    expect((await tenant.key.get(path, current)).status).toBe(304);
  });

  test("the content feed has what happened, in order, until the module is off", async () => {
    const shop = await platform.createTenant();
    const { nextCursor } = (await shop.key.get("/v1/content/events?after=now")).body.page;
    const fields = [{ key: "title", type: "text", required: true }];
    dataOf(await shop.owner.put("/v1/content-types/post", { name: "Post", fields }), 201);
    const entry = dataOf(await shop.key.post("/v1/entries", { type: "post", data: { title: "A" } }), 201);
    dataOf(await shop.key.post(`/v1/entries/${entry.id}/publish`), 200);
    const redirect = dataOf(await shop.key.post("/v1/redirects", { from: "/a b/ü", to: "/a" }), 201);
    dataOf(await shop.key.delete(`/v1/redirects/${redirect.id}`), 200);
    // A transaction that is open anywhere in the cluster holds back the events after it for as long as it is open.
    const events: Json[] = [];
    let after = nextCursor;
    await until("all six events", async () => {
      const page = await shop.key.get(`/v1/content/events?after=${encodeURIComponent(after)}&waitSeconds=5`);
      events.push(...dataOf(page, 200));
      after = page.body.page.nextCursor;
      return events.length >= 6;
    });
    expect(events.map(({ type }: Json) => type)).toEqual([
      "content_type.upserted",
      "content.entry.created",
      "content.revision.created",
      "content.entry.published",
      "redirect.added",
      "redirect.removed",
    ]);
    expect(events.at(-2)).toEqual({
      id: expect.stringMatching(UUID_V7),
      type: "redirect.added",
      occurredAt: expect.stringMatching(TIME),
      requestId: expect.any(String),
      actor: { type: "api_key", id: expect.stringMatching(UUID_V7), name: "Test key" },
      data: { redirect: { ...redirect, version: 1 } },
    });
    const ends = `/v1/content/events?after=${encodeURIComponent(after)}`;
    expect((await shop.key.get(ends)).body).toMatchObject({ data: [], page: { hasMore: false } });
    dataOf(await shop.owner.put("/v1/modules/content", { active: false }), 200);
    expectFailure(await shop.key.get(ends), 403, "module_disabled");
  });

  test("every list refuses a limit out of range and text that is not a cursor", async () => {
    const { id: entryId } = await newEntry();
    const order = { customerId: tenant.customerId, items: [{ sku: "A", name: "A" }] };
    const { id: orderId } = dataOf(await tenant.key.post("/v1/orders", order), 201);
    for (const path of [
      "orders",
      `orders/${orderId}/payments`,
      `orders/${orderId}/timeline`,
      "customers",
      "redirects",
      "content-types",
      "entries",
      `entries/${entryId}/revisions`,
      "media",
      "webhooks/subscriptions",
      "webhooks/deliveries",
      "webhooks/events",
      "api-keys",
      "users",
      "audit-log",
    ]) {
      const list = await tenant.owner.get(`/v1/${path}?limit=100`);
      dataOf(list, 200);
      expect([path, Object.keys(list.body.page)]).toEqual([path, ["nextCursor"]]);
      for (const query of ["limit=0", "limit=101", "limit=x", "cursor=nonsense"]) {
        const { status, body } = await tenant.owner.get(`/v1/${path}?${query}`);
        const paths = body.error?.details?.map(({ path: field }: Json) => field);
        expect([path, query, status, paths]).toEqual([path, query, 422, [query.split("=")[0]]]);
      }
    }
  });

  test("a link to media lasts for a week at most", async () => {
    const path = `/v1/media/${randomUUID()}/links`;
    for (const expiresInSeconds of [0, 604_801, 1.5]) {
      expectFailure(await tenant.key.post(path, { expiresInSeconds }), 422, "validation_error", [
        "expiresInSeconds",
      ]);
    }
    expectFailure(await tenant.key.post(path, { expiresInSeconds: 604_800 }), 404, "not_found");
  });

  test("a revoked key was last used before its revocation", async () => {
    const key = await until("the time of its last use", async () => {
      const { body } = await tenant.owner.get(`/v1/api-keys/${revoked.id}`);
      return body.data.lastUsedAt !== null && body.data;
    });
    expect(key.revokedAt).toBe(revoked.revokedAt);
    expect(key.lastUsedAt >= key.createdAt && key.lastUsedAt <= key.revokedAt).toBe(true);
  });
});

function inHours(hours: number): string {
  return new Date(Date.now() + hours * HOUR_MS).toISOString();
}

/** Six digits, the most significant one first. */
function base62(value: number): string {
  let digits = "";
  for (let rest = value; digits.length < 6; rest = Math.floor(rest / 62)) {
    digits = `${DIGITS[rest % 62]}${digits}`;
  }
  return digits;
}
