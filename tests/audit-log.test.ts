// The audit log has one entry for each action of every service, with its actor, target and request. No service can change an
// entry, and no entry contains a secret.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { apiClient, authenticator, bearer, until } from "@tradepost/testing";
import { connect } from "amqplib";
import pg from "pg";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

interface Entry {
  action: string;
  actor: { type: string; id: string; name: string };
  target: { type: string; id: string };
  changes: Record<string, unknown>;
  requestId: string;
  ip: string | null;
  userAgent: string | null;
  at: string;
  id: string;
}

describe("the audit log", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  const secrets: string[] = [];

  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
  });
  afterAll(() => platform.stop());

  const log = async (query = "") => (await tenant.owner.get(`/v1/audit-log${query}`)).body.data as Entry[];
  const by = (requestId: string) => ({ "x-request-id": requestId, "user-agent": "Audited/1.0" });

  test("has each action once, with its actor, target, changes and request", async () => {
    const password = "correct horse battery";
    const email = "clerk@clerk.example";
    secrets.push(password, "wrong password 123", "another good password");
    const { owner } = tenant;
    const user = await owner.post(
      "/v1/users",
      { email, name: "Clerk", role: "admin", password },
      by("user-created"),
    );
    const userId: string = user.body.data.id;
    const login = await apiClient(platform.url).post("/v1/auth/login", { email, password }, by("login"));
    secrets.push(login.body.data.token, login.headers.get("set-cookie")?.split(/[=;]/)[1] ?? "");
    await apiClient(platform.url).post(
      "/v1/auth/login",
      { email, password: "wrong password 123" },
      by("login-failed"),
    );
    await owner.send("PATCH", `/v1/users/${userId}`, {
      headers: { "content-type": "application/json", ...by("user-updated") },
      body: JSON.stringify({ role: "editor", password: "another good password" }),
    });
    const key = await owner.post("/v1/api-keys", { label: "Audit", scopes: ["read:crm"] }, by("key-created"));
    secrets.push(key.body.data.key, key.body.data.key.split("_")[3]);
    await owner.send("DELETE", `/v1/api-keys/${key.body.data.id}`, { headers: by("key-revoked") });
    await owner.send("DELETE", `/v1/api-keys/${key.body.data.id}`, { headers: by("key-revoked-again") });
    await owner.send("PUT", "/v1/modules/crm", {
      headers: { "content-type": "application/json", ...by("module") },
      body: '{"active":false}',
    });
    await owner.send("DELETE", `/v1/users/${userId}`, { headers: by("user-deleted") });
    const subscription = await owner.post(
      "/v1/webhooks/subscriptions",
      { name: "Audit", url: "https://localhost/x", events: ["redirect.added"] },
      by("subscription-created"),
    );
    secrets.push(subscription.body.data.signingSecret);
    const path = `/v1/webhooks/subscriptions/${subscription.body.data.id}`;
    await owner.send("PATCH", path, {
      headers: { "content-type": "application/json", ...by("subscription-updated") },
      body: '{"active":false}',
    });
    await owner.send("DELETE", path, { headers: by("subscription-deleted") });
    const listener = await owner.post(
      "/v1/webhooks/listeners",
      { name: "Laptop", events: ["redirect.added"] },
      by("listener-created"),
    );
    secrets.push(listener.body.data.signingSecret);
    const listenerId: string = listener.body.data.id;
    await owner.send("DELETE", `/v1/webhooks/listeners/${listenerId}`, { headers: by("listener-deleted") });
    await owner.send("PUT", "/v1/content-types/note", {
      headers: { "content-type": "application/json", ...by("type-updated") },
      body: '{"name":"Note","fields":[]}',
    });
    const file = new FormData();
    file.set("file", new Blob(["passed on"]), "note.txt");
    const uploaded = await fetch(`${platform.url}/v1/media`, {
      method: "POST",
      headers: bearer(tenant.ownerToken),
      body: file,
    });
    const { data: media } = (await uploaded.json()) as { data: { id: string } };
    const link = await owner.post(`/v1/media/${media.id}/links`, {}, by("link-created"));
    secrets.push(/signature=(.*)$/.exec(link.body.data.url)?.[1] ?? "");
    await owner.send("DELETE", `/v1/media/${media.id}/links`, { headers: by("links-ended") });

    await until("the other services' entries", async () => {
      const ofServices = await Promise.all([
        log("?action=webhook_listener.deleted"),
        log("?action=media_links.ended"),
        log("?action=content_type.updated"),
      ]);
      return ofServices.every(({ length }) => length > 0);
    });
    const entries = await log("?limit=100");
    const told = Object.fromEntries(entries.map((entry) => [entry.requestId, entry]));
    const ownerActor = { type: "user", id: expect.any(String), name: "Test Shop owner" };
    const clerk = { type: "user", id: userId, name: "Clerk" };
    const expected: Record<string, [string, object, { type: string; id: string }, object]> = {
      "user-created": [
        "user.created",
        ownerActor,
        { type: "user", id: userId },
        { email, name: "Clerk", role: "admin" },
      ],
      login: ["auth.login", clerk, { type: "user", id: userId }, {}],
      "login-failed": ["auth.login_failed", clerk, { type: "user", id: userId }, {}],
      "user-updated": [
        "user.updated",
        ownerActor,
        { type: "user", id: userId },
        { role: { from: "admin", to: "editor" }, password: "changed" },
      ],
      "key-created": [
        "api_key.created",
        ownerActor,
        { type: "api_key", id: key.body.data.id },
        { keyId: key.body.data.keyId, label: "Audit", scopes: ["read:crm"], expiresAt: null },
      ],
      "key-revoked": [
        "api_key.revoked",
        ownerActor,
        { type: "api_key", id: key.body.data.id },
        { keyId: key.body.data.keyId, label: "Audit" },
      ],
      module: ["module.updated", ownerActor, { type: "module", id: "crm" }, { active: false }],
      "user-deleted": ["user.deleted", ownerActor, { type: "user", id: userId }, { email, role: "editor" }],
      "subscription-created": [
        "webhook_subscription.created",
        ownerActor,
        { type: "webhook_subscription", id: subscription.body.data.id },
        { name: "Audit", url: "https://localhost/x", events: ["redirect.added"] },
      ],
      "subscription-updated": [
        "webhook_subscription.updated",
        ownerActor,
        { type: "webhook_subscription", id: subscription.body.data.id },
        { active: false },
      ],
      "subscription-deleted": [
        "webhook_subscription.deleted",
        ownerActor,
        { type: "webhook_subscription", id: subscription.body.data.id },
        {},
      ],
      "listener-created": [
        "webhook_listener.created",
        ownerActor,
        { type: "webhook_listener", id: listenerId },
        { name: "Laptop", events: ["redirect.added"], expiresInHours: 24 },
      ],
      "listener-deleted": [
        "webhook_listener.deleted",
        ownerActor,
        { type: "webhook_listener", id: listenerId },
        {},
      ],
      "type-updated": [
        "content_type.updated",
        ownerActor,
        { type: "content_type", id: "note" },
        { name: "Note", fields: [] },
      ],
      "link-created": [
        "media_link.created",
        ownerActor,
        { type: "media", id: media.id },
        { variant: null, expiresAt: link.body.data.expiresAt },
      ],
      "links-ended": ["media_links.ended", ownerActor, { type: "media", id: media.id }, {}],
    };
    for (const [requestId, [action, actor, target, changes]] of Object.entries(expected)) {
      expect(told[requestId]).toEqual({
        id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        actor,
        action,
        target,
        changes,
        requestId,
        ...{ ip: "127.0.0.1", userAgent: "Audited/1.0" },
      });
    }
    expect(entries.filter(({ action }) => action === "api_key.revoked")).toHaveLength(1);
  });

  test("is filtered by action, actor, target and time, paged, and readable for admins only", async () => {
    const logins = await log("?action=auth.login&limit=100");
    expect(new Set(logins.map(({ action }) => action))).toEqual(new Set(["auth.login"]));
    const actorId = logins[0]?.actor.id ?? "";
    expect(new Set((await log(`?actorId=${actorId}`)).map(({ actor }) => actor.id))).toEqual(
      new Set([actorId]),
    );
    const all = await log("?limit=100");
    const target = all.find(({ action }) => action === "api_key.created")?.target.id;
    expect((await log(`?targetId=${target}`)).map(({ action }) => action)).toEqual([
      "api_key.revoked",
      "api_key.created",
    ]);
    expect(await log(`?targetId=${target}&action=api_key.created&actorId=nobody`)).toEqual([]);
    const middle = all[Math.floor(all.length / 2)]?.at ?? "";
    expect(await log(`?limit=100&after=${middle}`)).toEqual(all.filter(({ at }) => at >= middle));
    expect(await log(`?limit=100&before=${middle}`)).toEqual(all.filter(({ at }) => at < middle));
    expect(await log(`?after=${middle}&before=${middle}`)).toEqual([]);
    const faulty = await tenant.owner.get("/v1/audit-log?after=yesterday&before=2026-13-01T00:00:00Z&by=me");
    expect(faulty.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      "after",
      "before",
      "by",
    ]);
    const paged: Entry[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await tenant.owner.get(`/v1/audit-log?limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...body.data);
      cursor = body.page.nextCursor;
    }
    expect(paged).toEqual(await log("?limit=100"));
    expect((await tenant.key.get("/v1/audit-log")).status).toBe(403);
    const stranger = await platform.createTenant();
    const theirs = (await stranger.owner.get("/v1/audit-log?limit=100")).body.data as Entry[];
    expect(theirs.some(({ id }) => paged.some((entry) => entry.id === id))).toBe(false);
  });

  test("has changed and rotated keys, set-up links, second factors and ended sessions", async () => {
    const { owner } = tenant;
    const change = (path: string, body: object, requestId: string) =>
      owner.send("PATCH", path, {
        headers: { "content-type": "application/json", ...by(requestId) },
        body: JSON.stringify(body),
      });
    const key = (await owner.post("/v1/api-keys", { label: "Old", scopes: [] })).body.data;
    await change(`/v1/api-keys/${key.id}`, { label: "New" }, "key-updated");
    const next = (await owner.post(`/v1/api-keys/${key.id}/rotate`, {}, by("key-rotated"))).body.data;
    const user = { email: "new@clerk.example", name: "New clerk", role: "viewer" };
    const { id, setup } = (await owner.post("/v1/users", user, by("user-set-up"))).body.data;
    const password = "a password of the new clerk";
    const anyone = apiClient(platform.url);
    await anyone.post("/v1/auth/setup", { token: setup.token, password }, by("set-up"));
    const signIn = async () =>
      (await anyone.post("/v1/auth/login", { email: user.email, password })).body.data;
    const clerk = apiClient(platform.url, bearer((await signIn()).token));
    const factor = (await clerk.post("/v1/me/second-factor", { currentPassword: password })).body.data;
    const app = authenticator(factor.secret);
    const body = { code: await app.unused() };
    const confirmed = await clerk.post("/v1/me/second-factor/confirm", body, by("factor-enabled"));
    const { secondFactor } = await signIn();
    const finish = { token: secondFactor.token, code: await app.unused() };
    await anyone.post("/v1/auth/second-factor", finish, by("finished"));
    secrets.push(factor.secret, factor.uri, ...confirmed.body.data.recoveryCodes, secondFactor.token);
    const link = (await owner.post(`/v1/users/${id}/setup-link`, {}, by("link-made"))).body.data;
    await owner.send("DELETE", `/v1/users/${id}/sessions`, { headers: by("sessions-ended") });
    await owner.send("DELETE", `/v1/users/${id}/second-factor`, { headers: by("factor-reset") });
    await owner.send("PUT", "/v1/security", {
      headers: { "content-type": "application/json", ...by("required") },
      body: JSON.stringify({ requireSecondFactor: false }),
    });
    secrets.push(key.key, next.key, next.key.split("_")[3], setup.token, link.token, password);

    const entries = await log("?limit=100");
    const actionsOf = (requestId: string) =>
      entries.filter((entry) => entry.requestId === requestId).map(({ action, target }) => [action, target]);
    const target = { type: "user", id };
    expect(actionsOf("key-updated")).toEqual([["api_key.updated", { type: "api_key", id: key.id }]]);
    expect(actionsOf("key-rotated")).toEqual([
      ["api_key.rotated", { type: "api_key", id: key.id }],
      ["api_key.created", { type: "api_key", id: next.id }],
    ]);
    expect(actionsOf("user-set-up")).toEqual([
      ["user.setup_link_made", target],
      ["user.created", target],
    ]);
    expect(actionsOf("set-up")).toEqual([["auth.password_changed", target]]);
    expect(actionsOf("link-made")).toEqual([["user.setup_link_made", target]]);
    expect(actionsOf("factor-enabled")).toEqual([["second_factor.enabled", target]]);
    expect(actionsOf("finished")).toEqual([["auth.login", target]]);
    expect(actionsOf("factor-reset")).toEqual([["second_factor.removed", target]]);
    // Nothing has changed.
    expect(actionsOf("required")).toEqual([]);
    expect(actionsOf("sessions-ended")).toEqual([["user.sessions_ended", target]]);
  });

  test("stores an entry once that the broker delivers twice, and parks an unreadable message", async () => {
    const connection = await connect(platform.broker.amqpUrl);
    const channel = await connection.createConfirmChannel();
    const id = "01a1fcd3-89ae-775b-9e26-0e624d400372";
    const entry = {
      id,
      type: "webhook_delivery.redelivered",
      tenant_id: tenant.tenantId,
      occurred_at: "2026-08-20T09:30:00.000Z",
      request_id: "twice",
      actor: { type: "user", id: "u", name: "U" },
      data: { target: { type: "webhook_delivery", id: "d" }, changes: {} },
    };
    for (const content of [entry, entry, { ...entry, data: {} }]) {
      channel.publish("platform.audit", entry.type, Buffer.from(JSON.stringify(content)), { messageId: id });
    }
    await channel.waitForConfirms();
    await connection.close();
    await until("the poison", async () => {
      const queue = (await platform.broker.manage("POST", "/queues/gateway.audit.poison/get", {
        count: 1,
        ackmode: "ack_requeue_true",
        encoding: "auto",
      })) as unknown[];
      return queue.length === 1;
    });
    expect(await log("?action=webhook_delivery.redelivered")).toHaveLength(1);
  });

  test("lets the running service add and read entries, and nothing else", async () => {
    const client = new pg.Client({
      connectionString: platform.logins.gateway,
      options: "-c role=tradepost_gateway",
    });
    await client.connect();
    await expect(client.query("select count(*) from audit_log")).resolves.toBeDefined();
    for (const deed of [
      "update audit_log set action = 'nothing'",
      "delete from audit_log",
      "truncate audit_log",
      "drop table audit_log",
      "alter table audit_log disable trigger all",
    ]) {
      await client.query("reset role");
      await expect(client.query(deed)).rejects.toThrow(/permission denied|must be owner/);
    }
    await client.end();
  });

  test("contains no secret that was issued, nor a hash of one", async () => {
    const client = new pg.Client({ connectionString: platform.databases.gateway });
    await client.connect();
    const { rows } = await client.query<{ row: string }>("select audit_log::text as row from audit_log");
    await client.end();
    const everything = rows.map(({ row }) => row).join("\n");
    expect(rows.length).toBeGreaterThan(10);
    secrets.push(tenant.apiKey, tenant.ownerToken);
    const traces = secrets.flatMap((secret) => {
      const hash = createHash("sha256").update(secret).digest();
      return [secret, hash.toString("hex"), hash.toString("base64")];
    });
    expect(traces.filter((trace) => trace === "" || everything.includes(trace))).toEqual([]);
  });
});
