// A session's life: the refresh secret rotates, one used twice ends it, a logout ends it; signer keys rotate without a
// sign-out.
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ApiResponse, apiClient, bearer } from "@tradepost/testing";
import { startTestGateway, type TestGateway, type TestTenant } from "./support/test-gateway.ts";

const KEY_1 = `k1:${randomBytes(32).toString("base64")}`;
const KEY_2 = `k2:${randomBytes(32).toString("base64")}`;

describe("sessions", () => {
  let gateway: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    gateway = await startTestGateway({ TOKEN_SIGNING_KEYS: KEY_1 });
    tenant = await gateway.makeTenant();
  });
  afterAll(() => gateway.stop());

  const anyone = () => apiClient(gateway.url);
  const signIn = () => anyone().post("/v1/auth/login", { email: tenant.email, password: tenant.password });
  const refresh = (cookie: string) => anyone().post("/v1/auth/refresh", undefined, { cookie });
  const isIn = async (token: string, url = gateway.url) =>
    (await apiClient(url, bearer(token)).get("/v1/me")).status === 200;

  test("a refresh gives a new token and a new cookie, out of scripts' reach", async () => {
    const login = await signIn();
    const answer = await refresh(cookieOf(login));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ token: expect.any(String), expiresAt: expect.stringMatching(/Z$/) });
    expect(await isIn(answer.body.data.token)).toBe(true);
    expect(cookieOf(answer)).not.toBe(cookieOf(login));
    expect(answer.headers.get("set-cookie")).toMatch(
      /; Path=\/v1\/auth; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    expect((await refresh(cookieOf(answer))).status).toBe(200);
  });

  test("a refresh secret used twice ends the session, whoever holds its newest", async () => {
    const login = await signIn();
    const first = await refresh(cookieOf(login));
    const replayed = await refresh(cookieOf(login));
    expect([replayed.status, replayed.body.error.code]).toEqual([401, "unauthorized"]);
    expect(await isIn(login.body.data.token)).toBe(false);
    expect(await isIn(first.body.data.token)).toBe(false);
    expect((await refresh(cookieOf(first))).status).toBe(401);
  });

  test("of two refreshes with one secret at the same instant, at most one succeeds, and the session ends", async () => {
    const login = await signIn();
    const answers = await Promise.all([refresh(cookieOf(login)), refresh(cookieOf(login))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await isIn(login.body.data.token)).toBe(false);
  });

  test("a logout ends the session, and one without a session says the same", async () => {
    const login = await signIn();
    const out = await anyone().post("/v1/auth/logout", undefined, { cookie: cookieOf(login) });
    expect([out.status, out.body.data]).toEqual([200, { signedOut: true }]);
    expect(out.headers.get("set-cookie")).toMatch(/^tradepost_refresh=; .*Max-Age=0/);
    expect(await isIn(login.body.data.token)).toBe(false);
    expect((await refresh(cookieOf(login))).status).toBe(401);
    expect((await anyone().post("/v1/auth/logout")).status).toBe(200);
  });

  test("a session that has expired and one of a deactivated user are not carried on", async () => {
    const login = await signIn();
    const { sid } = claimsOf(login.body.data.token);
    await gateway.db
      .updateTable("sessions")
      .set({ expires_at: new Date(0) })
      .where("id", "=", sid)
      .execute();
    expect((await refresh(cookieOf(login))).status).toBe(401);
    expect(await isIn(login.body.data.token)).toBe(false);

    const second = await signIn();
    await gateway.db.updateTable("users").set({ active: false }).where("id", "=", tenant.ownerId).execute();
    expect((await refresh(cookieOf(second))).status).toBe(401);
    await gateway.db.updateTable("users").set({ active: true }).where("id", "=", tenant.ownerId).execute();
  });

  test.each([
    "",
    "tradepost_refresh=",
    "tradepost_refresh=nonsense",
    `tradepost_refresh=${"0".repeat(36)}.${"a".repeat(43)}`,
    `tradepost_refresh=${randomUUID()}.${"a".repeat(43)}`,
  ])("the cookie %j is 401", async (cookie) => {
    expect((await refresh(cookie)).status).toBe(401);
  });

  test("a new signing key signs, and tokens of the old one hold until it is taken away", async () => {
    const old = (await signIn()).body.data.token;
    const rotated = await gateway.startReplica({ TOKEN_SIGNING_KEYS: `${KEY_2},${KEY_1}` });
    const login = await apiClient(rotated.url).post("/v1/auth/login", {
      email: tenant.email,
      password: tenant.password,
    });
    expect(headerOf(login.body.data.token).kid).toBe("k2");
    expect(await isIn(old, rotated.url)).toBe(true);
    const finished = await gateway.startReplica({ TOKEN_SIGNING_KEYS: KEY_2 });
    expect(await isIn(old, finished.url)).toBe(false);
    expect(await isIn(login.body.data.token, finished.url)).toBe(true);
  });
});

function cookieOf(answer: ApiResponse): string {
  return answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

function headerOf(token: string) {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
}
