// Links that sign a user in: `npm start` makes one for the demo's owner, and only there they have a route (interface §9).
import { createHash } from "node:crypto";
import { createLogger } from "@tradepost/runtime";
import { apiClient } from "@tradepost/testing";
import { staffAccess } from "../src/operate.ts";
import { cookieOf, OTHER_PASSWORD, outcome, useGateway } from "./support/test-gateway.ts";

const PATH = "/dashboard/sign-in-link";
const lines: string[] = [];
const gateway = await useGateway({ PROXY_HOPS: "1", COOKIE_SECURE: "false" });
const logger = createLogger("test", "debug", (line) => lines.push(line));
const { url } = await gateway.startReplica({ SIGN_IN_LINKS: "true" }, logger);

describe("a sign-in link", () => {
  const linkFor = async (email: string) => (await staffAccess.makeSignInLinkFor(gateway.db, email)).token;
  // Each use comes from an address of its own, so that failures do not add up.
  const follow = async (token: string, { at = url, address = gateway.nextAddress(), more = "" } = {}) => {
    const response = await fetch(`${at}${PATH}?token=${encodeURIComponent(token)}${more}`, {
      headers: { "x-forwarded-for": address },
      redirect: "manual",
    });
    const { headers, status } = response;
    return { status, headers, location: headers.get("location"), cookies: headers.getSetCookie() };
  };
  const IN = [302, "/dashboard"];
  const OUT = [302, "/dashboard/sign-in?failure=expired"];
  const setFactorSince = (id: string, since: Date | null) =>
    gateway.update("users", { id }, { second_factor_since: since });
  const result = ({ status, location, cookies }: Awaited<ReturnType<typeof follow>>) => {
    expect(cookies).toHaveLength(location === "/dashboard" ? 2 : 0);
    return [status, location];
  };

  test("signs its user in once, for as long as a password would, and is in no log", async () => {
    const { email, ownerId, audit } = await gateway.createTenant();
    const token = await linkFor(email);
    await fetch(`${url}${PATH}?token=${token}`, { method: "HEAD", redirect: "manual" });
    const used = await follow(token);
    expect(result(used)).toEqual(IN);
    expect(Object.fromEntries(used.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
    const [cookie = ""] = used.cookies;
    expect(cookie).toMatch(
      /^tradepost_refresh=.*; Max-Age=2592000; Path=\/v1\/auth; HttpOnly; SameSite=Strict$/,
    );
    const refreshed = await apiClient(url, { cookie: cookieOf(used) }).post("/v1/auth/refresh");
    const me = await gateway.as(refreshed.body.data.token, url).get("/v1/me");
    expect(me.body.data.actor).toMatchObject({ id: ownerId, role: "owner" });
    expect(result(await follow(token))).toEqual(OUT);
    const [entry] = await audit(`targetId=${ownerId}&action=auth.login`);
    expect(entry).toMatchObject({ changes: { by: "sign_in_link" }, actor: { id: ownerId } });
    expect(lines.some((line) => line.includes(PATH))).toBe(true);
    expect(lines.join()).not.toContain(token);
  });

  test("of two uses at once, signs in one", async () => {
    const { email, ownerId } = await gateway.createTenant();
    const token = await linkFor(email);
    const use = () => follow(token);
    const used = await gateway.race("unfinished_sign_ins where user_id", ownerId, [use, use]);
    expect(used.map(result).toSorted()).toEqual([IN, OUT]);
  });

  test("is stored as a hash, ends after ten minutes, and with another password", async () => {
    const { email, ownerId, owner, password } = await gateway.createTenant();
    const token = await linkFor(email);
    const links = gateway.db.selectFrom("unfinished_sign_ins").selectAll().where("user_id", "=", ownerId);
    const [stored] = await links.execute();
    expect(stored?.token_hash).toHaveLength(32);
    expect(JSON.stringify(stored)).not.toContain(token);
    const minutesLeft = (Number(stored?.expires_at) - Date.now()) / 60_000;
    expect(Math.round(minutesLeft)).toBe(10);
    const expired = { expires_at: new Date(Date.now() - 1) };
    await gateway.update("unfinished_sign_ins", { user_id: ownerId }, expired);
    expect(result(await follow(token))).toEqual(OUT);
    const other = await linkFor(email);
    const change = { currentPassword: password, newPassword: OTHER_PASSWORD };
    expect((await owner.post("/v1/me/password", change)).status).toBe(200);
    expect(result(await follow(other))).toEqual(OUT);
  });

  test("bypasses no second factor, and is no sign-in that waits for a code", async () => {
    const { email, ownerId, tenantId } = await gateway.createTenant();
    const token = await linkFor(email);
    const finish = { token, code: "123456" };
    expect(outcome(await apiClient(url).post("/v1/auth/second-factor", finish))[0]).toBe(401);
    await setFactorSince(ownerId, new Date());
    expect(result(await follow(token))).toEqual(OUT);
    await expect(linkFor(email)).rejects.toThrow("has a second factor");
    expect((await gateway.signIn(email, "", { url })).status).toBe(401);
    const inAMinute = new Date(Date.now() + 60_000);
    const token_hash = createHash("sha256").update("waits for a code").digest();
    const waiting = { tenant_id: tenantId, user_id: ownerId, token_hash, expires_at: inAMinute };
    await gateway.db.insertInto("unfinished_sign_ins").values(waiting).execute();
    await setFactorSince(ownerId, null);
    expect(result(await follow("waits for a code"))).toEqual(OUT);
  });

  test("does not work for an inactive user or a suspended tenant", async () => {
    const { email, ownerId, tenantId } = await gateway.createTenant();
    const token = await linkFor(email);
    const setActive = (active: boolean) => gateway.update("users", { id: ownerId }, { active });
    await setActive(false);
    expect(result(await follow(token))).toEqual(OUT);
    await expect(linkFor(email)).rejects.toThrow("is not active");
    await setActive(true);
    await gateway.setSuspended(tenantId, true);
    expect((await follow(token)).status).toBe(403);
    await gateway.setSuspended(tenantId, false);
    expect(result(await follow(token))).toEqual(IN);
  });

  test("leads nowhere else, has no route without SIGN_IN_LINKS, and guesses are limited like failed sign-ins", async () => {
    const { email } = await gateway.createTenant();
    const token = await linkFor(email);
    expect(await follow(token, { at: gateway.url })).toMatchObject({ status: 404, cookies: [] });
    expect((await follow(token, { more: "&next=https://example.com" })).status).toBe(422);
    const address = gateway.nextAddress();
    for (let guess = 0; guess < 5; guess += 1)
      expect(result(await follow(`guess ${guess}`, { address }))).toEqual(OUT);
    expect((await follow(token, { address })).status).toBe(429);
    expect(result(await follow(token))).toEqual(IN);
  });
});
