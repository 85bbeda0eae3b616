// The audit log has one entry for each action of every service, with its actor, target and request, and no secret.
import { createHash, randomUUID } from "node:crypto";
import { execute } from "@tradepost/devstack";
import { apiClient, faultPaths, openTestPool, readPages, until } from "@tradepost/testing";
import { publishMessages } from "../support/broker-messages.ts";
import { dataOf } from "../support/data-of.ts";
import { sharedPlatform } from "../support/test-platform.ts";
import { upload } from "../support/upload.ts";

const platform = await sharedPlatform();
const tenant = await platform.createTenant();

describe("the audit log", () => {
  const secrets: string[] = [];

  // biome-ignore lint/suspicious/noExplicitAny: a type would describe the API a second time
  const log = async (query = ""): Promise<any[]> =>
    dataOf(await tenant.owner.get(`/v1/audit-log${query}`), 200);
  const by = (requestId: string) => ({ "x-request-id": requestId, "user-agent": "Audited/1.0" });

  test("has each action once, with its actor, target, changes and request", async () => {
    const { owner } = tenant;
    const anyone = apiClient(platform.url);
    const owning = { type: "user", id: expect.any(String), name: "Test Shop owner" };
    const expected: Record<string, object> = {};
    /** Expects an entry for the request with this id, by the owner unless `actor` is given. */
    const expectEntry = (id: string, action: string, target: object, changes = {}, actor = owning) => {
      const request = { requestId: id, ip: "127.0.0.1", userAgent: "Audited/1.0" };
      expected[id] = { action, actor, target, changes, ...request };
    };

    const [email, password, wrong, next] = [
      ...["clerk@clerk.example", "correct horse battery", "wrong password 123", "another good password"],
    ] as const;
    const clerk = { email, name: "Clerk", role: "admin" };
    const { id } = dataOf(await owner.post("/v1/users", { ...clerk, password }, by("user-created")), 201);
    const user = { type: "user", id };
    const asClerk = { ...user, name: "Clerk" };
    expectEntry("user-created", "user.created", user, clerk);
    const login = await anyone.post("/v1/auth/login", { email, password }, by("login"));
    expectEntry("login", "auth.login", user, {}, asClerk);
    await anyone.post("/v1/auth/login", { email, password: wrong }, by("login-failed"));
    expectEntry("login-failed", "auth.login_failed", user, {}, asClerk);
    const change = { role: "editor", password: next };
    dataOf(await owner.patch(`/v1/users/${id}`, change, by("user-updated")), 200);
    expectEntry("user-updated", "user.updated", user, {
      ...{ role: { from: "admin", to: "editor" }, password: "changed" },
    });
    secrets.push(password, wrong, next, login.body.data.token);
    secrets.push(login.headers.get("set-cookie")?.split(/[=;]/)[1] ?? "");

    const label = { label: "Audit", scopes: ["read:crm"] };
    const key = dataOf(await owner.post("/v1/api-keys", label, by("key-created")), 201);
    secrets.push(key.key, key.key.split("_")[3]);
    const ofKey = { type: "api_key", id: key.id };
    expectEntry("key-created", "api_key.created", ofKey, { keyId: key.keyId, ...label, expiresAt: null });
    for (const requestId of ["key-revoked", "key-revoked-again"])
      dataOf(await owner.delete(`/v1/api-keys/${key.id}`, by(requestId)), 200);
    expectEntry("key-revoked", "api_key.revoked", ofKey, { keyId: key.keyId, label: "Audit" });
    dataOf(await owner.put("/v1/modules/crm", { active: false }, by("module")), 200);
    expectEntry("module", "module.updated", { type: "module", id: "crm" }, { active: false });
    dataOf(await owner.delete(`/v1/users/${id}`, by("user-deleted")), 200);
    expectEntry("user-deleted", "user.deleted", user, { email, role: "editor" });

    const input = { name: "Audit", url: "https://localhost/x", events: ["redirect.added"] };
    const created = dataOf(await owner.post("/v1/webhooks/subscriptions", input, by("subscribed")), 201);
    const subscription = { type: "webhook_subscription", id: created.id };
    expectEntry("subscribed", "webhook_subscription.created", subscription, input);
    const path = `/v1/webhooks/subscriptions/${created.id}`;
    dataOf(await owner.patch(path, { active: false }, by("paused")), 200);
    expectEntry("paused", "webhook_subscription.updated", subscription, { active: false });
    dataOf(await owner.delete(path, by("unsubscribed")), 200);
    expectEntry("unsubscribed", "webhook_subscription.deleted", subscription);
    const laptop = { name: "Laptop", events: ["redirect.added"] };
    const listening = dataOf(await owner.post("/v1/webhooks/listeners", laptop, by("listening")), 201);
    const listener = { type: "webhook_listener", id: listening.id };
    expectEntry("listening", "webhook_listener.created", listener, { ...laptop, expiresInHours: 24 });
    dataOf(await owner.delete(`/v1/webhooks/listeners/${listening.id}`, by("deaf")), 200);
    expectEntry("deaf", "webhook_listener.deleted", listener);
    secrets.push(created.signingSecret, listening.signingSecret);

    const note = { name: "Note", fields: [] };
    dataOf(await owner.put("/v1/content-types/note", note, by("typed")), 201);
    expectEntry("typed", "content_type.updated", { type: "content_type", id: "note" }, note);
    const uploaded = dataOf(await upload(tenant.key, "passed on", "note.txt"), 201);
    const media = { type: "media", id: uploaded.id };
    const links = `/v1/media/${media.id}/links`;
    const { url, expiresAt } = dataOf(await owner.post(links, {}, by("linked")), 201);
    expectEntry("linked", "media_link.created", media, { variant: null, expiresAt });
    dataOf(await owner.delete(links, by("links-ended")), 200);
    expectEntry("links-ended", "media_links.ended", media);
    secrets.push(/signature=(.*)$/.exec(url)?.[1] ?? "");

    const lastOfServices = ["webhook_listener.deleted", "media_links.ended", "content_type.updated"];
    await until("the other services' entries", async () => {
      const found = await Promise.all(lastOfServices.map((action) => log(`?action=${action}`)));
      return found.every(({ length }) => length > 0);
    });
    const entries = await log("?limit=100");
    const found = entries.filter(({ requestId }) => requestId in expected);
    expect(
      Object.fromEntries(found.map(({ id: _, at, n: __, hash: ___, ...entry }) => [entry.requestId, entry])),
    ).toEqual(expected);
    for (const { id: entryId, at } of found)
      expect([entryId, at]).toEqual([expect.any(String), expect.stringMatching(/^\d{4}-.*Z$/)]);
    expect(entries.filter(({ action }) => action === "api_key.revoked")).toHaveLength(1);
  });

  test("is filtered by action, actor, target and time, paged, and readable for admins only", async () => {
    const logins = await log("?action=auth.login&limit=100");
    expect(new Set(logins.map(({ action }) => action))).toEqual(new Set(["auth.login"]));
    const actorId = logins[0]?.actor.id ?? "";
    const ofActor = await log(`?actorId=${actorId}`);
    expect(new Set(ofActor.map(({ actor }) => actor.id))).toEqual(new Set([actorId]));
    const all = await log("?limit=100");
    const target = all.find(({ action }) => action === "api_key.created")?.target.id;
    const ofTarget = await log(`?targetId=${target}`);
    expect(ofTarget.map(({ action }) => action)).toEqual(["api_key.revoked", "api_key.created"]);
    expect(await log(`?targetId=${target}&action=api_key.created&actorId=nobody`)).toEqual([]);
    const middle = all[Math.floor(all.length / 2)]?.at ?? "";
    expect(await log(`?limit=100&after=${middle}`)).toEqual(all.filter(({ at }) => at >= middle));
    expect(await log(`?limit=100&before=${middle}`)).toEqual(all.filter(({ at }) => at < middle));
    expect(await log(`?after=${middle}&before=${middle}`)).toEqual([]);
    const faulty = await tenant.owner.get("/v1/audit-log?after=yesterday&before=2026-13-01T00:00:00Z&by=me");
    expect(faultPaths(faulty)).toEqual(["after", "before", "by"]);
    const paged = (await readPages(tenant.owner, "/v1/audit-log?limit=2")).flat();
    expect(paged).toEqual(all);
    expect((await tenant.key.get("/v1/audit-log")).status).toBe(403);
    const stranger = await platform.createTenant();
    const theirs: { id: string }[] = dataOf(await stranger.owner.get("/v1/audit-log?limit=100"), 200);
    expect(theirs.some(({ id }) => paged.some((entry) => entry.id === id))).toBe(false);
  });

  test("leaves connections to requests while many entries of a tenant wait for their chain", async () => {
    const other = await platform.createTenant();
    const pool = openTestPool(platform.databases.gateway, 1);
    const locker = await pool.connect();
    try {
      await locker.query("begin");
      await locker.query("select from audit_heads where tenant_id = $1 for update", [tenant.tenantId]);
      await publishEntries(60);
      let before = 0;
      await until("as many entries to wait as may at a time", async () => {
        const { rows } = await locker.query("select from pg_stat_activity where wait_event_type = 'Lock'");
        const isSame = rows.length > 0 && rows.length === before;
        before = rows.length;
        return isSame;
      });
      expect((await other.key.get("/v1/orders")).status).toBe(200);
    } finally {
      // Until this transaction ends, the feeds of all tests hide newer events.
      locker.release(true);
      await pool.end();
    }
    await until("the entries", async () => (await log("?limit=100&targetId=d")).length === 60);
  });

  test("contains no secret that was issued, nor a hash of one", async () => {
    const rows = await execute(platform.databases.gateway, "select audit_log::text as row from audit_log");
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

/** Publishes entries of the tenant as the webhooks service does. */
async function publishEntries(count: number): Promise<void> {
  await publishMessages(platform.broker.amqpUrl, (channel) => {
    for (let number = 0; number < count; number += 1) {
      const entry = {
        ...{ id: randomUUID(), type: "webhook_delivery.redelivered", tenant_id: tenant.tenantId },
        ...{ request_id: "r", occurred_at: "2026-08-20T09:30:00.000Z" },
        ...{ actor: { type: "user", id: "u", name: "U" } },
        data: { target: { type: "webhook_delivery", id: "d" }, changes: {} },
      };
      channel.publish("platform.audit", entry.type, Buffer.from(JSON.stringify(entry)));
    }
  });
}
