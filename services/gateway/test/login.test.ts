// Sign-in and dashboard tokens: what a token contains, what ends it, and that no forged token is accepted.
import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { rawRequest } from "@tradepost/testing";
import jwt from "jsonwebtoken";
import { isIn, useGateway } from "./support/test-gateway.ts";

const signer = randomBytes(32);
const retired = randomBytes(32);
const REFUSED = { code: "unauthorized", message: expect.any(String), requestId: expect.any(String) };

const gateway = await useGateway({
  TOKEN_SIGNING_KEYS: `k2:${signer.toString("base64")},k1:${retired.toString("base64")}`,
});
const tenant = await gateway.createTenant();

describe("signing in", () => {
  const { email, password } = tenant;
  const me = (token: string) => gateway.as(token).get("/v1/me");
  const change = (user: { role?: "viewer" | "owner"; active?: boolean }) =>
    gateway.update("users", { id: tenant.ownerId }, user);

  test("responds with a token for 15 minutes and the user without a password", async () => {
    const { status, body } = await gateway.signIn(email, password);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        token: expect.any(String),
        expiresAt: expect.stringMatching(/Z$/),
        user: {
          id: tenant.ownerId,
          email: tenant.email,
          name: "Test Shop owner",
          role: "owner",
          active: true,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          state: "active",
          secondFactor: false,
        },
      },
    });
    const { header, payload } = jwt.verify(body.data.token, signer, {
      complete: true,
      algorithms: ["HS256"],
    });
    const claims = payload as jwt.JwtPayload;
    expect(header).toMatchObject({ alg: "HS256", kid: "k2" });
    expect(claims).toMatchObject({ sub: tenant.ownerId, tid: tenant.tenantId, sid: expect.any(String) });
    expect([claims.iss, claims.aud]).toEqual([expect.any(String), expect.any(String)]);
    expect(Number(claims.exp) - Number(claims.iat)).toBe(15 * 60);
    expect(new Date(body.data.expiresAt).getTime()).toBe(Number(claims.exp) * 1000);

    const who = await me(body.data.token);
    expect(who.status).toBe(200);
    expect(who.body).toEqual({
      success: true,
      data: {
        actor: {
          ...{ type: "user", id: tenant.ownerId, name: "Test Shop owner", role: "owner", scopes: [] },
          secondFactor: { enabled: false, required: false, recoveryCodesLeft: 0 },
          identity: null,
        },
        tenant: { id: tenant.tenantId, slug: tenant.slug, name: "Test Shop", modules: ["content", "crm"] },
      },
    });
  });

  test("accepts the e-mail in any case", async () => {
    expect((await gateway.signIn(email.toUpperCase(), password)).status).toBe(200);
  });

  test("refuses an unknown e-mail, a wrong password and an inactive user alike", async () => {
    const wrong = await gateway.signIn(email, "not the password");
    const unknown = await gateway.signIn("nobody@nowhere.example", password);
    await change({ active: false });
    const inactive = await gateway.signIn(email, password);
    await change({ active: true });
    for (const response of [wrong, unknown, inactive]) {
      expect(response.status).toBe(401);
      expect(response.body).toEqual({
        success: false,
        error: { ...REFUSED, message: wrong.body.error.message },
      });
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(response.headers.get("set-cookie")).toBeNull();
    }
  });

  test.each([
    ["true", true],
    ["false", false],
  ])("only COOKIE_SECURE=%s decides whether cookies are Secure, not a header", async (setting, isSecure) => {
    const { url } = await gateway.startReplica({ COOKIE_SECURE: setting });
    const body = JSON.stringify({ email, password });
    const lines = ["Content-Type: application/json", `Content-Length: ${body.length}`];
    const responses = await Promise.all(
      ["127.0.0.1:8080", "shop.example"].map((host) =>
        rawRequest(url, "POST /v1/auth/login", [`Host: ${host}`, "X-Forwarded-Proto: http", ...lines], body),
      ),
    );
    for (const { headers, text } of responses) {
      const cookies = headers.getSetCookie();
      expect(cookies.map((cookie) => cookie.split("=", 1)[0])).toEqual([
        isSecure ? "__Secure-tradepost_refresh" : "tradepost_refresh",
        isSecure ? "__Secure-tradepost_device" : "tradepost_device",
      ]);
      for (const cookie of cookies) {
        const [pair = "", ...attributes] = cookie.split("; ");
        expect(pair).toMatch(/^[\w-]+=[\w.~-]{40,}$/);
        expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Strict", "Path=/v1/auth"]));
        expect(attributes.includes("Secure")).toBe(isSecure);
        expect(text).not.toContain(pair.split("=")[1]);
      }
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });

  test("a new role and a deactivation take effect on the next request of a token", async () => {
    await change({ role: "viewer" });
    expect((await me(tenant.token)).body.data.actor.role).toBe("viewer");
    expect((await tenant.owner.get("/v1/api-keys")).status).toBe(403);
    await change({ active: false });
    expect((await me(tenant.token)).status).toBe(401);
    await change({ active: true, role: "owner" });
    expect((await tenant.owner.get("/v1/api-keys")).status).toBe(200);
  });

  // Signs a token that differs from a valid one only in the arguments.
  const now = Math.floor(Date.now() / 1000);
  const forge = (claims: object, header: object = {}, key: Buffer = signer, alg: jwt.Algorithm = "HS256") => {
    const genuine = jwt.decode(tenant.token) as jwt.JwtPayload;
    const all = Object.entries({ ...genuine, ...claims }).filter(([, value]) => value !== undefined);
    return jwt.sign(Object.fromEntries(all), alg === "none" ? "" : key, {
      algorithm: alg,
      header: { alg, kid: "k2", ...header },
    });
  };

  test("accepts tokens of a retired signing key", async () => {
    for (const token of [forge({}), forge({}, { kid: "k1" }, retired)])
      expect(await isIn(gateway.as(token))).toBe(true);
  });

  test.each<[string, () => string]>([
    ["without a signature", () => forge({}, {}, signer, "none")],
    ["with another algorithm", () => forge({}, {}, signer, "HS512")],
    ["signed with another key", () => forge({}, {}, randomBytes(32))],
    ["signed with another key than its kid names", () => forge({}, { kid: "k1" })],
    ["with an unknown kid", () => forge({}, { kid: "k9" })],
    ["without a kid", () => forge({}, { kid: undefined })],
    ["from another issuer", () => forge({ iss: "someone" })],
    ["for another audience", () => forge({ aud: "something" })],
    ["that has expired", () => forge({ iat: now - 1_000, exp: now - 1 })],
    ["that is not valid yet", () => forge({ nbf: now + 1_000 })],
    ["that never expires", () => forge({ exp: undefined })],
    ["of another tenant", () => forge({ tid: randomUUID() })],
    ["of another user", () => forge({ sub: randomUUID() })],
    ["of another session", () => forge({ sid: randomUUID() })],
    ["whose claims are not ids", () => forge({ tid: "' or true --" })],
    ["with a character changed", () => tenant.token.replace(/\.(.)/, (_all, c) => (c === "e" ? ".f" : ".e"))],
    ["that is only a header", () => `${tenant.token.split(".")[0]}..`],
  ])("refuses a token %s", async (_what, token) => {
    const response = await me(token());
    expect(response.status).toBe(401);
    expect(response.body).toEqual({ success: false, error: REFUSED });
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("refuses a token whose session has ended", async () => {
    const { body, client } = await gateway.signIn(email, password);
    const { sid } = jwt.decode(body.data.token) as jwt.JwtPayload;
    await gateway.update("sessions", { id: String(sid) }, { ended_at: new Date() });
    expect((await client.get("/v1/me")).status).toBe(401);
  });
});
