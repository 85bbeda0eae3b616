// Second factors (interface §20): setting one up, the second step of a sign-in, codes that work once, and removing one.
import { type ApiClient, apiClient, authenticator, type ClientResponse, until } from "@tradepost/testing";
import { sql } from "kysely";
import {
  isIn,
  OTHER_PASSWORD as NEXT,
  outcome,
  PASSWORD,
  type TestStaff,
  type TestTenant,
  useGateway,
} from "./support/test-gateway.ts";

const WRONG = "000000";
const [KEY_1, KEY_2] = [1, 2].map((n) => `k${n}:${Buffer.alloc(32, n).toString("base64")}`);

const gateway = await useGateway({ PROXY_HOPS: "1", TOKEN_SIGNING_KEYS: String(KEY_1) });
const replicaUrl = (await gateway.startReplica()).url;

type Protected = TestStaff & Awaited<ReturnType<typeof gateway.protect>>;

describe("a second factor", () => {
  let tenant: TestTenant;
  beforeEach(async () => {
    tenant = await gateway.createTenant();
  });

  /** Each request of a test comes from an address of its own unless it is about the limits. */
  const { anyone, from, nextAddress } = gateway;
  const login = gateway.signIn;
  const finish = (body: object, { url = gateway.url, headers = {} as Record<string, string> } = {}) =>
    apiClient(url).post("/v1/auth/second-factor", body, { ...from(), ...headers });
  const as = ({ body }: ClientResponse) => gateway.as(body.data.token);
  const faults = ({ status, body }: ClientResponse) => [
    status,
    (body.error?.details ?? []).map(({ path }: { path: string }) => path),
  ];
  const remove = (client: ApiClient, body: object, address?: string) =>
    client.send("DELETE", "/v1/me/second-factor", {
      headers: { "content-type": "application/json", ...from(address) },
      body: JSON.stringify(body),
    });
  const setUp = (client: ApiClient, currentPassword = PASSWORD, address?: string) =>
    client.post("/v1/me/second-factor", { currentPassword }, from(address));
  const confirm = (client: ApiClient, code: string) =>
    client.post("/v1/me/second-factor/confirm", { code }, from());

  async function createProtected(role?: "editor"): Promise<Protected> {
    const staff = await gateway.createStaff(tenant, role);
    return { ...staff, ...(await gateway.protect(staff.client)) };
  }

  /** Signs in up to the code. */
  const begin = async ({ email }: Pick<TestStaff, "email">, password?: string): Promise<string> =>
    (await login(email, password)).body.data.secondFactor.token;
  const shownTo = async (client: ApiClient) => (await client.get("/v1/me")).body.data.actor.secondFactor;
  const entries = (action: string, targetId: string) => tenant.audit(`action=${action}&targetId=${targetId}`);
  const changesOf = async (action: string, targetId: string): Promise<object[]> =>
    (await entries(action, targetId)).map(({ changes }: { changes: object }) => changes);

  test("is set up, confirmed with a code, and ends the user's other sessions", async () => {
    const { id, email, client } = await gateway.createStaff(tenant);
    const other = (await login(email)).client;
    const made = await setUp(client);
    expect([made.status, made.headers.get("cache-control")]).toEqual([201, "no-store"]);
    const { secret, uri } = made.body.data;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const { pathname, searchParams } = new URL(uri);
    expect(decodeURIComponent(pathname)).toBe(`/Tradepost:${email}`);
    expect(searchParams.get("secret")).toBe(secret);
    // The second factor does not count yet.
    expect((await login(email)).body.data).toHaveProperty("token");
    expect(await shownTo(client)).toEqual({ enabled: false, required: false, recoveryCodesLeft: 0 });

    expect(faults(await confirm(client, WRONG))).toEqual([422, ["code"]]);
    const code = authenticator(secret).code();
    const confirmed = await confirm(client, code);
    expect([confirmed.status, confirmed.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const { recoveryCodes } = confirmed.body.data;
    expect(new Set(recoveryCodes).size).toBe(10);
    expect([await isIn(client), await isIn(other)]).toEqual([true, false]);
    expect(await shownTo(client)).toEqual({ enabled: true, required: false, recoveryCodesLeft: 10 });
    expect(await entries("second_factor.enabled", id)).toMatchObject([
      { target: { type: "user", id }, changes: { endedCount: 2 } },
    ]);
    const { data } = (await tenant.owner.get("/v1/users?limit=1")).body;
    expect(data).toMatchObject([{ id, secondFactor: true }]);
    // The code that confirmed it is used up.
    expect((await finish({ token: await begin({ email }), code })).status).toBe(401);
  });

  test("a set-up without the current password is refused, limited and audited, as a password change is", async () => {
    const { id, email, client } = await gateway.createStaff(tenant);
    expect(faults(await client.post("/v1/me/second-factor", {}, from()))).toEqual([422, ["currentPassword"]]);
    const address = nextAddress();
    for (let n = 0; n < 5; n += 1) {
      expect(faults(await setUp(client, NEXT, address))).toEqual([422, ["currentPassword"]]);
    }
    expect(outcome(await setUp(client, PASSWORD, address))).toEqual([429, "rate_limited"]);
    expect(await changesOf("auth.login_failed", id)).toEqual(Array(5).fill({ signedIn: true }));
    const failures = await entries("auth.login_failed", id);
    const upperCase = `action=auth.login_failed&actorId=${id.toUpperCase()}`;
    expect(await tenant.audit(upperCase)).toEqual(failures);
    expect(failures[0]).toMatchObject({
      actor: { type: "user", id },
      target: { type: "user", id },
      ip: address,
    });
    expect((await confirm(client, WRONG)).status).toBe(404);
    expect((await login(email)).body.data).toHaveProperty("token");
  });

  test("each set-up makes a new secret, and only the latest one can be confirmed", async () => {
    const { client } = await gateway.createStaff(tenant);
    const secrets = [];
    for (let n = 0; n < 2; n += 1) secrets.push((await setUp(client)).body.data.secret);
    expect(secrets[0]).not.toBe(secrets[1]);
    expect(faults(await confirm(client, authenticator(secrets[0]).code()))).toEqual([422, ["code"]]);
    expect((await confirm(client, authenticator(secrets[1]).code())).status).toBe(200);
  });

  test("a confirmed one is not replaced, and one that was never set up is not found", async () => {
    const staff = await gateway.createStaff(tenant);
    expect(outcome(await confirm(staff.client, WRONG))).toEqual([404, "not_found"]);
    expect(outcome(await remove(staff.client, { code: WRONG }))).toEqual([404, "not_found"]);
    const { client, app } = await createProtected();
    expect(outcome(await setUp(client))).toEqual([409, "conflict"]);
    expect(outcome(await confirm(client, app.code(1)))).toEqual([409, "conflict"]);
  });

  test("a sign-in needs a code, and has no session and no cookie before", async () => {
    const user = await createProtected();
    const first = await login(user.email);
    expect([first.status, first.headers.get("set-cookie")]).toEqual([200, null]);
    expect(first.headers.get("cache-control")).toBe("no-store");
    const { token, expiresAt } = first.body.data.secondFactor;
    expect(first.body.data).toEqual({ secondFactor: { token, expiresAt } });
    const minutes = (new Date(expiresAt).getTime() - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(5);
    expect((await gateway.as(token).get("/v1/me")).status).toBe(401);

    const second = await finish({ token, code: await user.app.unused() });
    expect(second.status).toBe(200);
    expect(second.body.data).toEqual({
      token: expect.any(String),
      expiresAt: expect.any(String),
      user: expect.objectContaining({ id: user.id, email: user.email, secondFactor: true }),
    });
    const names = second.headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0]);
    expect(names).toEqual(["__Secure-tradepost_refresh", "__Secure-tradepost_device"]);
    expect((await as(second).get("/v1/me")).body.data.actor.id).toBe(user.id);
    expect(await changesOf("auth.login", user.id)).toEqual([{ secondFactor: "code" }, {}]);
  });

  test("a code works once, also on another replica and after a restart", async () => {
    const user = await createProtected();
    const code = await user.app.unused();
    // Apps show two groups of digits.
    const typed = ` ${code.slice(0, 3)} ${code.slice(3)}`;
    expect((await finish({ token: await begin(user), code: typed })).status).toBe(200);
    for (const url of [gateway.url, replicaUrl, (await gateway.startReplica()).url]) {
      const again = await finish({ token: await begin(user), code }, { url });
      expect(outcome(again)).toEqual([401, "unauthorized"]);
    }
    // Using the code of a step also uses up the earlier steps.
    const earlier = await finish({ token: await begin(user), code: user.app.code(-1) });
    expect(outcome(earlier)).toEqual([401, "unauthorized"]);
  });

  test.each([
    ["code", "second_factors", async ({ app }: Protected) => ({ code: await app.unused() })],
    ["recovery code", "recovery_codes", async (user: Protected) => ({ recoveryCode: user.recoveryCodes[0] })],
  ])("of parallel uses of one %s on two replicas one wins", async (_what, table, proofOf) => {
    const user = await createProtected();
    const proof = await proofOf(user);
    const uses: (() => Promise<ClientResponse>)[] = [];
    for (let n = 0; n < 6; n += 1) {
      const token = await begin(user);
      uses.push(() => finish({ token, ...proof }, { url: n % 2 === 0 ? gateway.url : replicaUrl }));
    }
    // When all of them wait to use up the proof, they have checked it.
    const responses = await gateway.race(`${table} where user_id`, user.id, uses);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401, 401]);
  });

  test("a recovery code signs in once, in any case and without hyphens", async () => {
    const user = await createProtected();
    const [recoveryCode = "", other = ""] = user.recoveryCodes;
    const typed = recoveryCode.toLowerCase().replaceAll("-", " ");
    const signedIn = await finish({ token: await begin(user), recoveryCode: typed });
    expect(signedIn.status).toBe(200);
    expect((await shownTo(as(signedIn))).recoveryCodesLeft).toBe(9);
    expect((await finish({ token: await begin(user), recoveryCode })).status).toBe(401);
    expect(await changesOf("auth.login", user.id)).toEqual([{ secondFactor: "recovery_code" }, {}]);
    const stranger = await createProtected();
    expect((await finish({ token: await begin(stranger), recoveryCode: other })).status).toBe(401);
  });

  test("the token signs in once, survives five wrong codes, and then is of no use", async () => {
    const user = await createProtected();
    const used = await begin(user);
    expect((await finish({ token: used, recoveryCode: user.recoveryCodes[0] })).status).toBe(200);
    const again = await finish({ token: used, recoveryCode: user.recoveryCodes[1] });
    expect(again.status).toBe(401);

    const fail = async (token: string, times: number) => {
      for (let n = 0; n < times; n += 1) {
        const failed = await finish({ token, code: WRONG });
        expect([failed.status, failed.body.error.message]).toEqual([401, again.body.error.message]);
      }
    };
    const surviving = await begin(user);
    await fail(surviving, 5);
    expect((await finish({ token: surviving, recoveryCode: user.recoveryCodes[1] })).status).toBe(200);
    const dead = await begin(user);
    await fail(dead, 6);
    const refused = await finish({ token: dead, recoveryCode: user.recoveryCodes[2] });
    expect([refused.status, refused.body.error.message]).toEqual([401, again.body.error.message]);
    // The newest failure ended the token.
    expect(await changesOf("auth.login_failed", user.id)).toEqual([
      { secondFactor: "code", tokenEnded: true },
      ...Array(10).fill({ secondFactor: "code" }),
    ]);
  });

  test("an expired and an unknown token are refused alike", async () => {
    const user = await createProtected();
    const token = await begin(user);
    await gateway.update("unfinished_sign_ins", { user_id: user.id }, { expires_at: new Date(0) });
    const responses = [
      await finish({ token, recoveryCode: user.recoveryCodes[0] }),
      await finish({ token: "nonsense", recoveryCode: user.recoveryCodes[0] }),
    ];
    expect(new Set(responses.map(({ body }) => body.error.message)).size).toBe(1);
    expect(responses.map(outcome)).toEqual(Array(2).fill([401, "unauthorized"]));
  });

  test("a new password and a deactivation end a sign-in that waits for its code", async () => {
    const user = await createProtected("editor");
    const [first, second] = [await begin(user), await begin(user)];
    const deactivated = await tenant.owner.patch(`/v1/users/${user.id}`, { active: false });
    expect(deactivated.status).toBe(200);
    expect((await finish({ token: first, recoveryCode: user.recoveryCodes[0] })).status).toBe(401);
    await tenant.owner.patch(`/v1/users/${user.id}`, { active: true, password: NEXT });
    expect((await finish({ token: second, recoveryCode: user.recoveryCodes[0] })).status).toBe(401);
    const token = await begin(user, NEXT);
    expect((await finish({ token, recoveryCode: user.recoveryCodes[0] })).status).toBe(200);
  });

  test("a set-up link sets the password, and the sign-in still needs a code", async () => {
    const user = await createProtected("editor");
    const link = (await tenant.owner.post(`/v1/users/${user.id}/setup-link`)).body.data;
    const done = await anyone.post("/v1/auth/setup", { token: link.token, password: NEXT }, from());
    expect([done.status, done.headers.get("set-cookie")]).toEqual([200, null]);
    expect((await login(user.email, NEXT)).body.data).toEqual({ secondFactor: expect.any(Object) });
  });

  test("wrong codes count as failed sign-ins", async () => {
    const user = await createProtected();
    const address = nextAddress();
    const token = await begin(user);
    for (let n = 0; n < 5; n += 1) {
      expect((await finish({ token, code: WRONG }, { headers: from(address) })).status).toBe(401);
    }
    const limited = await finish({ token, recoveryCode: user.recoveryCodes[0] }, { headers: from(address) });
    expect(outcome(limited)).toEqual([429, "rate_limited"]);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await login(user.email, PASSWORD, { headers: from(address) })).status).toBe(429);
    // The limit applies to the address; the token is still valid.
    expect((await finish({ token, recoveryCode: user.recoveryCodes[0] })).status).toBe(200);
  });

  test("guesses of a token count against the address", async () => {
    const headers = from();
    const guess = () => finish({ token: "nonsense", code: WRONG }, { headers });
    for (let n = 0; n < 5; n += 1) expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
  });

  test("wrong codes of a signed-in user are limited too", async () => {
    const { id, client, recoveryCodes } = await createProtected();
    const address = nextAddress();
    for (let n = 0; n < 5; n += 1)
      expect(faults(await remove(client, { code: WRONG }, address))).toEqual([422, ["code"]]);
    expect((await remove(client, { recoveryCode: recoveryCodes[0] }, address)).status).toBe(429);
    expect(await changesOf("auth.login_failed", id)).toEqual(Array(5).fill({ signedIn: true }));
  });

  test.each([
    ["a code", async (user: Protected) => ({ code: await user.app.unused() })],
    ["a recovery code", async ({ recoveryCodes }: Protected) => ({ recoveryCode: recoveryCodes[3] })],
  ])("is removed with %s, which ends the other sessions", async (_what, proofOf) => {
    const user = await createProtected();
    const other = as(await finish({ token: await begin(user), recoveryCode: user.recoveryCodes[0] }));
    expect(faults(await remove(user.client, { code: WRONG }))).toEqual([422, ["code"]]);
    expect(faults(await remove(user.client, { recoveryCode: WRONG }))).toEqual([422, ["recoveryCode"]]);
    const removed = await remove(user.client, await proofOf(user));
    expect([removed.status, removed.body.data]).toEqual([200, { endedSessions: 1 }]);
    expect([await isIn(user.client), await isIn(other)]).toEqual([true, false]);
    expect((await login(user.email)).body.data).toHaveProperty("token");
    expect(await changesOf("second_factor.removed", user.id)).toEqual([{ endedCount: 1 }]);
    const left = await sql`select from recovery_codes where user_id = ${user.id}`.execute(gateway.db);
    expect(left.rows).toEqual([]);
    // Another second factor may be set up now.
    expect((await setUp(user.client)).status).toBe(201);
  });

  test("every field at fault is named", async () => {
    const { client } = await gateway.createStaff(tenant);
    expect(faults(await finish({}))).toEqual([422, ["token", "code"]]);
    const both = await finish({ token: "t", code: "123456", recoveryCode: "x" });
    expect(faults(both)).toEqual([422, ["recoveryCode"]]);
    const number = await client.post("/v1/me/second-factor/confirm", { code: 123_456 });
    expect(faults(number)).toEqual([422, ["code"]]);
    expect(faults(await remove(client, {}))).toEqual([422, ["code"]]);
  });

  test("the database has neither the secret nor a code in plain", async () => {
    const user = await createProtected();
    const token = await begin(user);
    const tables = ["second_factors", "recovery_codes", "unfinished_sign_ins", "audit_log"];
    const stored = await Promise.all(
      tables.map((table) => sql`select t::text as row from ${sql.table(table)} t`.execute(gateway.db)),
    );
    const text = JSON.stringify(stored.map(({ rows }) => rows)).toLowerCase();
    const secrets = [user.secret, token, ...user.recoveryCodes.flatMap((c) => [c, c.replaceAll("-", "")])];
    for (const secret of secrets) {
      expect(text).not.toContain(secret.toLowerCase());
      // In the form in which Postgres shows bytea.
      expect(text).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });

  test("is sealed again when the signing keys rotate, so that the old key can be dropped", async () => {
    const user = await createProtected();
    const rotated = await gateway.startReplica({ TOKEN_SIGNING_KEYS: `${KEY_2},${KEY_1}` });
    const sealedWith = async () => {
      const { rows } = await sql<{ sealed_with: string }>`
        select sealed_with from second_factors where user_id = ${user.id}`.execute(gateway.db);
      return rows[0]?.sealed_with;
    };
    await until("the secret to be sealed again", async () => (await sealedWith()) === "k2");
    const without = await gateway.startReplica({ TOKEN_SIGNING_KEYS: String(KEY_2) });
    for (const { url } of [rotated, without]) {
      const { token } = (await login(user.email, PASSWORD, { url })).body.data.secondFactor;
      expect((await finish({ token, code: await user.app.unused() }, { url })).status).toBe(200);
    }
    // A replica without the key cannot tell whether the code is right, and says so.
    const { token } = (await login(user.email)).body.data.secondFactor;
    expect(outcome(await finish({ token, code: user.app.code() }))).toEqual([500, "internal_error"]);
    expect((await finish({ token, recoveryCode: user.recoveryCodes[0] })).status).toBe(200);
  });
});
