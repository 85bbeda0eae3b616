// Sign-in at an OIDC provider (interface §25), against a real one with TLS.
import { tenantOf } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { cheapHash, type OidcProvider, startOidcProvider, testCertificate } from "@tradepost/testing";
import { oidcProvider } from "../src/identity/oidc/provider.ts";
import { insertUser } from "../src/identity/users/user-store.ts";
import { staffAccess } from "../src/operate.ts";
import { OTHER_PASSWORD, outcome, PASSWORD, type TestTenant, useGateway } from "./support/test-gateway.ts";

const REDIRECT_URI = "http://127.0.0.1:9/v1/auth/oidc/callback";
const start = async (options = {}) =>
  startOidcProvider(await testCertificate(), { redirectUris: [REDIRECT_URI], ...options });
const provider = await start();
const other = await start({ emailInToken: true });
afterAll(() => Promise.all([provider.stop(), other.stop()]));

const gateway = await useGateway({
  ...provider.settings,
  OIDC_REDIRECT_URI: REDIRECT_URI,
  PROXY_HOPS: "1",
  COOKIE_SECURE: "false",
});
const { url: otherUrl } = await gateway.startReplica(other.settings);

let subjects = 0;
/** A user of the provider, whom no other test has. */
function person(email: string, more: Partial<OidcProvider["account"]> = {}) {
  subjects += 1;
  return { sub: `subject-${subjects}`, email, email_verified: true, ...more };
}

/** A browser: it keeps the cookies of each origin, and follows no redirect by itself. */
function openBrowser(at = gateway.url) {
  const jars = new Map<string, Map<string, string>>();
  const address = gateway.nextAddress();
  const send = async (url: string, method = "GET", body?: object, from = address) => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(url, {
      ...{ method, redirect: "manual", body: body === undefined ? null : JSON.stringify(body) },
      headers: { cookie, "x-forwarded-for": from, ...(body && { "content-type": "application/json" }) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const name = pair.slice(0, pair.indexOf("="));
      if (attributes.includes("Max-Age=0")) jar.delete(name);
      else jar.set(name, pair.slice(name.length + 1));
    }
    return response;
  };
  const browser = {
    get: (url: string) => send(url),
    cookies: () => jars.get(new URL(at).origin) ?? new Map<string, string>(),
    /** Resolves with the address at the provider. */
    begin: async (query = "") => {
      const response = await send(`${at}/v1/auth/oidc/start${query}`);
      expect(response.status).toBe(302);
      return response.headers.get("location") ?? "";
    },
    /** Resolves with the address at which the provider sends the browser back, at this gateway. */
    authenticate: async (location: string, account: OidcProvider["account"], of = provider) => {
      of.account = account;
      let next = location;
      while (!next.startsWith(REDIRECT_URI)) {
        const response = await send(next);
        const to = response.headers.get("location");
        if (to === null) throw new Error(`${next} is ${response.status}: ${await response.text()}`);
        next = new URL(to, next).href;
      }
      return next.replace(new URL(REDIRECT_URI).origin, at);
    },
    /** Resolves with the address to which the gateway redirects. */
    finish: async (callback: string) => {
      const response = await send(callback);
      expect(response.headers.get("cache-control")).toBe("no-store");
      return response.headers.get("location");
    },
    signIn: async (account: OidcProvider["account"], of = provider) =>
      browser.finish(await browser.authenticate(await browser.begin(), account, of)),
    link: async (account: OidcProvider["account"]) =>
      browser.finish(await browser.authenticate(await browser.begin("?link=true"), account)),
    /** Resolves with a client of the session. */
    client: async () => {
      const response = await send(`${at}/v1/auth/refresh`, "POST");
      return gateway.as(JSON.parse(await response.text()).data.token, at);
    },
    signInByPassword: async (email: string, password: string) => {
      const from = gateway.nextAddress();
      const response = await send(`${at}/v1/auth/login`, "POST", { email, password }, from);
      return { status: response.status, body: JSON.parse(await response.text()) };
    },
  };
  return browser;
}

const IN = "/dashboard";
const failed = (code: string) => `/dashboard/sign-in?failure=${code}`;

async function invite(tenant: TestTenant, email: string) {
  const user = { email, name: "Kim", role: "admin" as const, passwordHash: cheapHash("never used") };
  return await insertUser(tenantOf(gateway.db, tenant.tenantId), user);
}

/** A user who signs in at the provider, and the browser in which the user is signed in. */
async function bindSomebody(tenant: TestTenant) {
  const account = person(`kim${subjects}@${tenant.slug}.example`);
  const user = await invite(tenant, account.email);
  const browser = openBrowser();
  expect(await browser.signIn(account)).toBe(IN);
  return { account, user, browser };
}

/** Binds an identity of the provider to the owner, who has signed in by password. */
async function bindOwner(tenant: TestTenant) {
  const browser = openBrowser();
  await browser.signInByPassword(tenant.email, tenant.password);
  const account = person("owner@elsewhere.example");
  expect(await browser.link(account)).toBe("/dashboard/account");
  return { account, browser };
}

beforeEach(() => {
  provider.isDown = () => false;
  provider.isCancelled = false;
});

describe("a sign-in at the provider", () => {
  test("binds an invited user, and signs in by the subject from then on, also after the provider has rotated its keys", async () => {
    const tenant = await gateway.createTenant();
    const { account, user, browser } = await bindSomebody(tenant);
    const client = await browser.client();
    const me = await client.get("/v1/me");
    expect(me.body.data.actor).toMatchObject({
      id: user.id,
      identity: { issuer: provider.settings.OIDC_ISSUER, email: account.email },
    });
    const entries: { action: string; changes: object }[] = await tenant.audit(`targetId=${user.id}`);
    expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
      ["auth.login", { by: "oidc" }],
      ["identity.linked", { issuer: provider.settings.OIDC_ISSUER }],
    ]);
    const moved = { ...account, email: "new@address.example", email_verified: false };
    expect(await openBrowser().signIn(moved)).toBe(IN);
    await provider.rotateKeys();
    expect(await openBrowser().signIn({ ...account, email: tenant.email })).toBe(IN);
  });

  test("reads the address from the ID token, too, and ignores parameters that the provider adds", async () => {
    const tenant = await gateway.createTenant();
    const account = person(`lee@${tenant.slug}.example`);
    await invite(tenant, account.email);
    const browser = openBrowser(otherUrl);
    const callback = await browser.authenticate(await browser.begin(), account, other);
    expect(
      await browser.finish(`${callback}&authuser=0&session_state=x&next=https%3A%2F%2Fevil.example`),
    ).toBe(IN);
    expect(other.requests).not.toContain("/me");
  });

  test("binds nobody by the address alone", async () => {
    const tenant = await gateway.createTenant();
    const { account } = await bindSomebody(tenant);
    const unverified = person(`una@${tenant.slug}.example`, { email_verified: false });
    await invite(tenant, unverified.email);
    expect(await openBrowser().signIn(unverified)).toBe(failed("email_unverified"));
    expect(await openBrowser().signIn({ sub: unverified.sub })).toBe(failed("email_unverified"));
    expect(await openBrowser().signIn(person("nobody@knows.example"))).toBe(failed("not_invited"));
    // The address of an active user binds nobody, whether the user has another identity or only a password.
    expect(await openBrowser().signIn(person(account.email))).toBe(failed("not_invited"));
    expect(await openBrowser().signIn(person(tenant.email))).toBe(failed("not_invited"));
    // The same subject and address at another issuer.
    expect(await openBrowser(otherUrl).signIn(account, other)).toBe(failed("not_invited"));
    // The Kelvin sign, which becomes the `k` of the address in lower case.
    const kelvin = person(`\u212Aay@${tenant.slug}.example`);
    await invite(tenant, `kay@${tenant.slug}.example`);
    expect(await openBrowser().signIn(kelvin)).toBe(failed("not_invited"));
    // Invited by two shops.
    const both = person(`both@${tenant.slug}.example`);
    await invite(tenant, both.email);
    await invite(await gateway.createTenant(), both.email);
    expect(await openBrowser().signIn(both)).toBe(failed("not_invited"));
  });

  test("of two identities with the invited address at once, binds one", async () => {
    const tenant = await gateway.createTenant();
    const { email } = person(`two@${tenant.slug}.example`);
    const user = await invite(tenant, email);
    const uses: (() => Promise<string | null>)[] = [];
    for (const account of [person(email), person(email)]) {
      const browser = openBrowser();
      const callback = await browser.authenticate(await browser.begin(), account);
      uses.push(() => browser.finish(callback));
    }
    const raced = await gateway.race("users where id", user.id, uses);
    expect(raced.toSorted()).toEqual([IN, failed("not_invited")]);
  });

  test("is refused to inactive users, in suspended tenants, and if it was cancelled", async () => {
    const tenant = await gateway.createTenant();
    const { account, user } = await bindSomebody(tenant);
    await gateway.setSuspended(tenant.tenantId, true);
    expect(await openBrowser().signIn(account)).toBe(failed("suspended"));
    await gateway.setSuspended(tenant.tenantId, false);
    provider.isCancelled = true;
    expect(await openBrowser().signIn(account)).toBe(failed("refused"));
    provider.isCancelled = false;
    await tenant.owner.patch(`/v1/users/${user.id}`, { active: false });
    expect(await openBrowser().signIn(account)).toBe(failed("not_invited"));
  });

  test("is finished only once, in its browser, with its state and nonce", async () => {
    const { account } = await bindSomebody(await gateway.createTenant());
    const browser = openBrowser();
    const cookiesBefore = async () => {
      const location = await browser.begin();
      return { location, begun: browser.cookies().get("tradepost_oidc") ?? "" };
    };
    const first = await cookiesBefore();
    const callback = await browser.authenticate(first.location, account);
    expect(await openBrowser().finish(callback)).toBe(failed("expired"));
    const stranger = openBrowser();
    await stranger.begin();
    expect(await stranger.finish(callback)).toBe(failed("expired"));
    expect(await browser.finish(callback.replace(/state=./, "state=~"))).toBe(failed("expired"));
    expect(await browser.finish(callback)).toBe(IN);
    expect(browser.cookies().has("tradepost_oidc")).toBe(false);
    expect(await browser.finish(callback)).toBe(failed("expired"));
    // Not even with the cookie from before.
    browser.cookies().set("tradepost_oidc", first.begun);
    expect(await browser.finish(callback)).toBe(failed("expired"));
    const { location } = await cookiesBefore();
    const otherNonce = await browser.authenticate(location.replace(/nonce=./, "nonce=~"), account);
    expect(await browser.finish(otherNonce)).toBe(failed("refused"));
    // A code of another sign-in in the same browser: its PKCE verifier is another.
    const stolen = new URL(await browser.authenticate(await browser.begin(), account));
    const latest = new URL(await browser.authenticate(await browser.begin(), account));
    latest.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    expect(await browser.finish(latest.href)).toBe(failed("expired"));
    const forged = `${first.begun.slice(0, -2)}AA`;
    browser.cookies().set("tradepost_oidc", forged);
    expect(await browser.finish(callback)).toBe(failed("expired"));
  });

  test("leads nowhere else, and to the dashboard from a malformed callback", async () => {
    const browser = openBrowser();
    const response = await browser.get(`${gateway.url}/v1/auth/oidc/start?next=https://evil.example`);
    expect(response.status).toBe(422);
    const url = new URL(await browser.begin());
    expect(url.origin).toBe(provider.settings.OIDC_ISSUER);
    expect(url.searchParams.get("redirect_uri")).toBe(REDIRECT_URI);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      scope: "openid email",
    });
    const head = await fetch(`${gateway.url}/v1/auth/oidc/callback`, { method: "HEAD", redirect: "manual" });
    expect(head.headers.get("location")).toBe(IN);
    for (const query of ["state=a&state=b", "state=%00"]) {
      const callback = `${gateway.url}/v1/auth/oidc/callback?code=x&${query}`;
      expect(await openBrowser().finish(callback)).toBe(failed("refused"));
    }
  });

  test("says that the provider is down, and works once it is back; passwords work meanwhile", async () => {
    const tenant = await gateway.createTenant();
    const { account } = await bindSomebody(tenant);
    const { url } = await gateway.startReplica();
    const browser = openBrowser(url);
    provider.isDown = () => true;
    expect(await browser.begin()).toBe(failed("unavailable"));
    expect((await browser.signInByPassword(tenant.email, tenant.password)).status).toBe(200);
    provider.isDown = () => false;
    for (const part of ["/token", "/jwks", "/me"]) {
      const callback = await browser.authenticate(await browser.begin(), account);
      provider.isDown = (path) => path === part;
      expect(await browser.finish(callback)).toBe(failed("unavailable"));
      provider.isDown = () => false;
    }
    expect(await browser.signIn(account)).toBe(IN);
  });

  test("is limited like failed sign-ins", async () => {
    const browser = openBrowser();
    const account = person("nobody@knows.example");
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await browser.signIn(account)).toBe(failed("not_invited"));
    const callback = await browser.authenticate(await browser.begin(), account);
    const { status, headers } = await browser.get(callback);
    expect([status, headers.get("location")]).toEqual([302, failed("unavailable")]);
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
  });

  test("refuses a subject or address that is no plain text", async () => {
    const tenant = await gateway.createTenant();
    const { email } = person(`sub@${tenant.slug}.example`);
    await invite(tenant, email);
    for (const sub of [" ", "a\u0000", "a\n", "x".repeat(256), "\ud800"])
      expect([sub, await openBrowser().signIn({ ...person(email), sub })]).toEqual([sub, failed("refused")]);
    expect(await openBrowser().signIn(person("a\u0000@b.example"))).toBe(failed("refused"));
    expect(await openBrowser().signIn({ ...person(email), sub: "x".repeat(255) })).toBe(IN);
  });

  test("logs why the provider cannot be reached", async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger("test", "warn", (line) => lines.push(JSON.parse(line)));
    provider.isDown = () => true;
    const away = oidcProvider(provider.settings, logger);
    const checks = { state: "s", nonce: "n", codeVerifier: "v" };
    expect(await away?.authorizationUrl(checks, REDIRECT_URI)).toBe("unavailable");
    expect(lines).toMatchObject([{ failure: "unavailable", cause: "UND_ERR_SOCKET" }]);
  });

  test("needs no code of a user with a second factor, and none where the shop requires one", async () => {
    const tenant = await gateway.createTenant();
    const { account, user, browser } = await bindSomebody(tenant);
    await tenant.owner.put("/v1/security", { requireSecondFactor: true });
    const client = await browser.client();
    const me = await client.get("/v1/me");
    expect(me.body.data.actor.secondFactor).toMatchObject({ enabled: false, required: false });
    expect((await client.get("/v1/users")).status).toBe(200);
    await gateway.update("users", { id: user.id }, { second_factor_since: new Date() });
    expect(await openBrowser().signIn(account)).toBe(IN);
  });

  test("is not offered without settings, which belong together", async () => {
    const names = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_NAME"];
    const { url } = await gateway.startReplica(Object.fromEntries(names.map((name) => [name, ""])));
    const methods = async (at: string) => (await gateway.as("", at).get("/v1/auth/methods")).body.data;
    expect(await methods(url)).toEqual({ password: true, oidc: null });
    expect(await methods(gateway.url)).toEqual({ password: true, oidc: { name: "Test Directory" } });
    expect(await openBrowser(url).begin()).toBe(failed("unavailable"));
    for (const [name, value] of [
      ["OIDC_NAME", ""],
      ["OIDC_ISSUER", "http://accounts.example"],
      ["OIDC_ISSUER", "accounts.example"],
    ] as const)
      await expect(gateway.startReplica({ [name]: value })).rejects.toThrow(/OIDC_ISSUER must be/);
  });
});

describe("an identity of an active user", () => {
  test("is linked and unlinked from the own account", async () => {
    const tenant = await gateway.createTenant();
    const { account, browser } = await bindOwner(tenant);
    expect(await openBrowser().signIn(account)).toBe(IN);
    const client = await browser.client();
    const unlinked = await client.delete("/v1/me/identity");
    expect(unlinked.body.data).toEqual({ endedSessions: 2 });
    expect(outcome(await client.delete("/v1/me/identity"))).toEqual([404, "not_found"]);
    expect((await client.get("/v1/me")).body.data.actor.identity).toBeNull();
    expect(await openBrowser().signIn(account)).toBe(failed("not_invited"));
    const [{ changes }] = (await client.get("/v1/audit-log?action=identity.unlinked")).body.data;
    expect(changes).toEqual({ issuer: provider.settings.OIDC_ISSUER, endedCount: 2 });
  });

  test("belongs to one user, and is bound in no session of another", async () => {
    const tenant = await gateway.createTenant();
    const { account } = await bindOwner(tenant);
    const staff = await gateway.createStaff(tenant, "editor");
    const browser = openBrowser();
    expect(await browser.begin("?link=true")).toBe(failed("expired"));
    await browser.signInByPassword(staff.email, PASSWORD);
    expect(await browser.link(account)).toBe(failed("refused"));
    // Somebody else signs in with the password before the provider sends the browser back.
    const mine = person("mine@own.example");
    const callback = await browser.authenticate(await browser.begin("?link=true"), mine);
    await browser.signInByPassword(tenant.email, tenant.password);
    expect(await browser.finish(callback)).toBe(failed("expired"));
    const me = await (await browser.client()).get("/v1/me");
    expect(me.body.data.actor.id).toBe(tenant.ownerId);
    expect(await openBrowser().signIn(mine)).toBe(failed("not_invited"));
    // The session has ended meanwhile.
    await browser.signInByPassword(staff.email, PASSWORD);
    const late = await browser.authenticate(await browser.begin("?link=true"), mine);
    await tenant.owner.delete(`/v1/users/${staff.id}/sessions`);
    expect(await browser.finish(late)).toBe(failed("expired"));
  });

  test("stands for the password within five minutes of a sign-in", async () => {
    const tenant = await gateway.createTenant();
    const { user, browser } = await bindSomebody(tenant);
    const client = await browser.client();
    expect((await client.post("/v1/me/second-factor", {})).status).toBe(201);
    const created = new Date(Date.now() - 301_000);
    await gateway.update("sessions", { user_id: user.id }, { created_at: created });
    const late = await client.post("/v1/me/second-factor", {});
    expect(outcome(late)).toEqual([422, "validation_error"]);
    expect(late.body.error.details[0].path).toBe("currentPassword");
    expect(outcome(await tenant.owner.post("/v1/me/second-factor", {}))[0]).toBe(422);
  });
});

describe("a shop without passwords", () => {
  test("refuses them, and the operator's link is the way back", async () => {
    const tenant = await gateway.createTenant();
    const set = (passwordSignIn: boolean) => tenant.owner.put("/v1/security", { passwordSignIn });
    expect(outcome(await set(false))).toEqual([409, "conflict"]);
    const { account, browser } = await bindOwner(tenant);
    expect((await set(false)).body.data).toEqual({ requireSecondFactor: false, passwordSignIn: false });
    const refused = await openBrowser().signInByPassword(tenant.email, tenant.password);
    expect([refused.status, refused.body.error.message]).toEqual([
      401,
      "Your shop has switched passwords off. Sign in at your provider.",
    ]);
    expect(await openBrowser().signIn(account)).toBe(IN);
    const client = await browser.client();
    expect(outcome(await client.delete("/v1/me/identity"))).toEqual([409, "last_identity"]);
    // A password set by an admin's link is refused; one set by the operator's link, for when the provider is lost, is accepted.
    const password = OTHER_PASSWORD;
    const byAdmin = () => tenant.owner.post(`/v1/users/${tenant.ownerId}/setup-link`);
    for (const [makeLink, status] of [
      [async () => (await byAdmin()).body.data, 401],
      [() => staffAccess.makeSetupLinkFor(gateway.db, tenant.email), 200],
    ] as const) {
      const { token } = await makeLink();
      const done = await gateway.anyone.post("/v1/auth/setup", { token, password }, gateway.from());
      expect(done.status).toBe(200);
      expect((await openBrowser().signInByPassword(tenant.email, password)).status).toBe(status);
    }
    // To accept passwords again, the owner must have just signed in at the provider, or have a code.
    const back = openBrowser();
    await back.signInByPassword(tenant.email, password);
    const relax = { passwordSignIn: true };
    const stale = await (await back.client()).put("/v1/security", relax);
    const message = "is required, unless you signed in at the provider within the last 5 minutes";
    expect([stale.status, stale.body.error.details]).toEqual([422, [{ path: "code", message }]]);
    const fresh = openBrowser();
    expect(await fresh.signIn(account)).toBe(IN);
    expect((await (await fresh.client()).put("/v1/security", relax)).status).toBe(200);
  });

  test("lets an owner unlink as long as another one is bound", async () => {
    const tenant = await gateway.createTenant();
    const { browser } = await bindOwner(tenant);
    const second = await bindSomebody(tenant);
    expect((await tenant.owner.patch(`/v1/users/${second.user.id}`, { role: "owner" })).status).toBe(200);
    await tenant.owner.put("/v1/security", { passwordSignIn: false });
    expect((await (await browser.client()).delete("/v1/me/identity")).status).toBe(200);
    const last = await second.browser.client();
    expect(outcome(await last.delete("/v1/me/identity"))).toEqual([409, "last_identity"]);
  });
});
