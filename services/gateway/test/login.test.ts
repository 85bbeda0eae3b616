// Sign-in and dashboard tokens: what a token contains, what ends it, and that no forged token is accepted.
import { randomBytes, randomUUID } from "node:crypto";
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
  const setActive = (active: boolean) => gateway.update("users", { id: tenant.ownerId }, { active });

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

  test("refuses an unknown e-mail, a wrong password, also with a second factor, and an inactive user alike", async () => {
    const staff = await gateway.createStaff(tenant);
    await gateway.protect(staff.client);
    const withFactor = await gateway.signIn(staff.email, "not the password");
    const wrong = await gateway.signIn(email, "not the password");
    const unknown = await gateway.signIn("nobody@nowhere.example", password);
    await setActive(false);
    const inactive = await gateway.signIn(email, password);
    await setActive(true);
    for (const response of [wrong, withFactor, unknown, inactive]) {
      expect(response.status).toBe(401);
      expect(response.body).toEqual({
        success: false,
        error: { ...REFUSED, message: wrong.body.error.message },
      });
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(response.headers.get("set-cookie")).toBeNull();
    }
  });

  test("only COOKIE_SECURE decides whether cookies are Secure, not a header", async () => {
    const headers = { "x-forwarded-proto": "http" };
    const response = await gateway.signIn(email, password, { headers });
    const cookies = response.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split("=", 1)[0])).toEqual([
      "__Secure-tradepost_refresh",
      "__Secure-tradepost_device",
    ]);
    for (const cookie of cookies) {
      expect(cookie).toMatch(
        /^[\w-]+=[\w.~-]{40,}; Max-Age=\d+; Path=\/v1\/auth; HttpOnly; Secure; SameSite=Strict$/,
      );
      expect(response.text).not.toContain(/=([^;]+)/.exec(cookie)?.[1]);
    }
    expect(response.headers.get("cache-control")).toBe("no-store");
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
});
