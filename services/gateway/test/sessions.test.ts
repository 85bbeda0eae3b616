// Sessions: a refresh replaces the secret, a reused secret or a logout ends the session, a made-up secret does not. Signing
// keys rotate without signing users out.
import { randomBytes, randomUUID } from "node:crypto";
import { newId } from "@tradepost/runtime";
import type { ClientResponse } from "@tradepost/testing";
import jwt from "jsonwebtoken";
import { deleteOldSessions } from "../src/identity/sessions/session-store.ts";
import { cookieOf, isIn, outcome, useGateway } from "./support/test-gateway.ts";

const DAY_MS = 24 * 3_600 * 1_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);
const KEY_1 = `k1:${randomBytes(32).toString("base64")}`;
const KEY_2 = `k2:${randomBytes(32).toString("base64")}`;

const gateway = await useGateway({ TOKEN_SIGNING_KEYS: KEY_1 });
const tenant = await gateway.createTenant();

describe("sessions", () => {
  const signIn = (at: { url: string } = gateway) => gateway.signIn(tenant.email, tenant.password, at);
  const post = (route: string, headers: Record<string, string> = {}) =>
    gateway.anyone.post(`/v1/auth/${route}`, undefined, headers);
  const refresh = (cookie: string) => post("refresh", { cookie });

  test("a refresh responds with a new token and a new cookie that scripts cannot read", async () => {
    const login = await signIn();
    const response = await refresh(login.cookie);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.body.data).toEqual({ token: expect.any(String), expiresAt: expect.stringMatching(/Z$/) });
    expect(await isIn(gateway.as(response.body.data.token))).toBe(true);
    expect(cookieOf(response)).not.toBe(login.cookie);
    expect(response.headers.get("set-cookie")).toMatch(
      /; Max-Age=\d+; Path=\/v1\/auth; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await refresh(cookieOf(response))).status).toBe(200);
  });

  test.each([
    ["a reused refresh secret ends the session, also for the holder of the newest secret", 1],
    ["any earlier secret ends the session, not only the previous one", 5],
  ])("%s", async (_title, times) => {
    const login = await signIn();
    let last: ClientResponse = login;
    for (let count = 0; count < times; count += 1) last = await refresh(cookieOf(last));
    expect(outcome(await refresh(login.cookie))).toEqual([401, "unauthorized"]);
    expect(await isIn(login.client)).toBe(false);
    expect(await isIn(gateway.as(last.body.data.token))).toBe(false);
    expect((await refresh(cookieOf(last))).status).toBe(401);
  });

  test("a made-up secret gives 401 and does not end the session", async () => {
    const login = await signIn();
    const [name, value = ""] = login.cookie.split("=");
    const [id, secret = ""] = value.split(".");
    const other = (await signIn()).cookie.split(".")[1] ?? "";
    const oneCharacterOff = `${secret[0] === "A" ? "B" : "A"}${secret.slice(1)}`;
    for (const madeUp of [randomBytes(32).toString("base64url"), other, oneCharacterOff, "a".repeat(43)]) {
      const cookie = `${name}=${id}.${madeUp}`;
      expect(outcome(await refresh(cookie))).toEqual([401, "unauthorized"]);
      await post("logout", { cookie });
    }
    for (const unknown of ["", `${name}=${randomUUID()}.${secret}`])
      expect((await refresh(unknown)).status).toBe(401);
    expect(await isIn(login.client)).toBe(true);
    expect((await refresh(login.cookie)).status).toBe(200);
  });

  test("of two concurrent refreshes with one secret one succeeds, and the session ends", async () => {
    const login = await signIn();
    const { sid } = claimsOf(login);
    const again = () => refresh(login.cookie);
    const responses = await gateway.race("sessions where id", sid, [again, again]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await isIn(login.client)).toBe(false);
  });

  test("the audit log has reused secrets and logouts, with session, address and user agent", async () => {
    const from = { "user-agent": "Audit\u0000 browser".replace("\u0000", "\t") };
    const login = await signIn();
    await refresh(login.cookie);
    const reused = { cookie: login.cookie, "x-request-id": "reused", ...from };
    for (const _ of [1, 2]) await post("refresh", reused);
    const second = await signIn();
    await post("logout", { cookie: second.cookie, "x-request-id": "out", ...from });
    const data: { requestId: string }[] = await tenant.audit();
    const user = { type: "user", id: tenant.ownerId };
    const entry = (action: string, requestId: string, of: ClientResponse) => ({
      id: expect.any(String),
      at: expect.any(String),
      actor: { ...user, name: "Test Shop owner" },
      action,
      target: user,
      changes: { sessionId: claimsOf(of).sid },
      requestId,
      ip: "127.0.0.1",
      userAgent: "Audit browser",
      ...{ n: expect.any(Number), hash: expect.any(String) },
    });
    expect(data.filter(({ requestId }) => ["reused", "out"].includes(requestId))).toEqual([
      entry("auth.logout", "out", second),
      entry("auth.refresh_reused", "reused", login),
    ]);
  });

  test("a logout ends the session, and responds the same without a session", async () => {
    const login = await signIn();
    const out = await post("logout", { cookie: login.cookie });
    expect([out.status, out.body.data]).toEqual([200, { signedOut: true }]);
    expect(out.headers.get("set-cookie")).toMatch(/^__Secure-tradepost_refresh=; .*Max-Age=0/);
    expect(await isIn(login.client)).toBe(false);
    expect((await refresh(login.cookie)).status).toBe(401);
    expect((await post("logout")).status).toBe(200);
  });

  test("an expired session and one of a deactivated user cannot be refreshed", async () => {
    const login = await signIn();
    await gateway.update("sessions", { id: claimsOf(login).sid }, { expires_at: new Date(0) });
    expect((await refresh(login.cookie)).status).toBe(401);
    expect(await isIn(login.client)).toBe(false);

    const second = await signIn();
    await gateway.update("users", { id: tenant.ownerId }, { active: false });
    expect((await refresh(second.cookie)).status).toBe(401);
    await gateway.update("users", { id: tenant.ownerId }, { active: true });
  });

  test("a new signing key signs, and tokens of the old key are valid until it is removed", async () => {
    const old = (await signIn()).body.data.token;
    const rotated = await gateway.startReplica({ TOKEN_SIGNING_KEYS: `${KEY_2},${KEY_1}` });
    const { token } = (await signIn(rotated)).body.data;
    expect(jwt.decode(token, { complete: true })?.header.kid).toBe("k2");
    expect(await isIn(gateway.as(old, rotated.url))).toBe(true);
    const finished = await gateway.startReplica({ TOKEN_SIGNING_KEYS: KEY_2 });
    expect(await isIn(gateway.as(old, finished.url))).toBe(false);
    expect(await isIn(gateway.as(token, finished.url))).toBe(true);
  });
});

// Old sessions are deleted in batches, by an index. A gateway that has just started deletes them too, so a test that counts them
// adds them in a transaction.
describe("old sessions", () => {
  const add = async (sessions: { expires: number; ended?: number }[], db = gateway.db) => {
    const rows = sessions.map(({ expires, ended }) => ({
      tenant_id: tenant.tenantId,
      id: newId(),
      user_id: tenant.ownerId,
      refresh_hash: randomBytes(32),
      expires_at: daysFromNow(expires),
      ended_at: ended === undefined ? null : daysFromNow(ended),
    }));
    // The service inserts no session that has ended.
    const insert = db.insertInto("sessions").values(rows as never);
    await insert.execute();
    return rows.map(({ id }) => id);
  };
  const remaining = async (ids: string[], db = gateway.db) => {
    const rows = await db.selectFrom("sessions").select("id").where("id", "in", ids).execute();
    return ids.map((id) => rows.some((row) => row.id === id));
  };

  test("that ended or expired 8 days ago are deleted; newer and open ones are not", async () => {
    const over = [{ expires: 20, ended: -8 }, { expires: -8 }];
    const ids = await add([...over, { expires: 20, ended: -6 }, { expires: -6 }, { expires: 20 }]);
    await deleteOldSessions(gateway.db);
    expect(await remaining(ids)).toEqual([false, false, true, true, true]);
    expect((await tenant.owner.get("/v1/me")).status).toBe(200);
  });

  test("are deleted a thousand at a time, the oldest first", async () => {
    await gateway.db.transaction().execute(async (tx) => {
      const old = await add(new Array(1_000).fill({ expires: -20 }), tx);
      const younger = await add([{ expires: -10 }], tx);
      expect(await deleteOldSessions(tx)).toBe(1_000);
      expect(new Set(await remaining(old, tx))).toEqual(new Set([false]));
      expect(await remaining(younger, tx)).toEqual([true]);
      expect(await deleteOldSessions(tx)).toBe(1);
    });
  });

  test("that another replica is deleting are skipped without waiting", async () => {
    const ids = await add([{ expires: -20 }]);
    await gateway.db.transaction().execute(async (tx) => {
      await tx.selectFrom("sessions").select("id").where("id", "in", ids).forUpdate().execute();
      expect(await deleteOldSessions(gateway.db)).toBe(0);
    });
    await deleteOldSessions(gateway.db);
    expect(await remaining(ids)).toEqual([false]);
  });
});

function claimsOf({ body }: ClientResponse) {
  return jwt.decode(body.data.token) as jwt.JwtPayload;
}
