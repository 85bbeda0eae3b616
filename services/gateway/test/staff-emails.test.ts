// An e-mail belongs to the user who confirms it first, by a set-up link or a sign-in. Until then it blocks nobody. How many taken
// e-mails a tenant can find out is limited, and refused changes of staff are in the audit log.
import { createHook } from "node:async_hooks";
import type { ApiClient, ClientResponse } from "@tradepost/testing";
import { sql } from "kysely";
import { createTenant } from "../src/identity/tenants/create-tenant.ts";
import { outcome, PASSWORD, type TestTenant, useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway({ PROXY_HOPS: "1" });

describe("an e-mail of staff", () => {
  let one: TestTenant;
  let other: TestTenant;
  let email: string;
  let count = 0;
  beforeEach(async () => {
    [one, other] = await Promise.all([gateway.createTenant(), gateway.createTenant()]);
    count += 1;
    email = `hire${count}@hires.example`;
  });

  const hire = () => ({ email, name: "Hire", role: "viewer" });
  const add = (owner: ApiClient, address = email) => owner.post("/v1/users", { ...hire(), email: address });
  /** Sets the password of the newest user. */
  const setPassword = async ({ owner }: TestTenant, password: string) => {
    const { id } = (await owner.get("/v1/users?limit=1")).body.data[0];
    expect((await owner.patch(`/v1/users/${id}`, { password })).status).toBe(200);
  };
  const tokenOf = ({ body }: ClientResponse): string => body.data.setup.token;
  const setUp = (token: string) =>
    gateway.anyone.post("/v1/auth/setup", { token, password: PASSWORD }, gateway.from());
  const signIn = (password?: string) => gateway.signIn(email, password);
  const stateIn = async ({ owner }: TestTenant) => (await owner.get("/v1/users?limit=1")).body.data[0].state;
  const refusalsOf = ({ audit }: TestTenant) => audit("action=user.refused&limit=100");

  test("may be added by several tenants, and belongs to the user who uses a set-up link first", async () => {
    const squatted = await add(other.owner);
    const added = await add(one.owner);
    expect([squatted.status, added.status]).toEqual([201, 201]);
    expect(outcome(await add(one.owner))).toEqual([409, "email_taken"]);
    const done = await setUp(tokenOf(added));
    expect([done.status, done.body.data.state]).toEqual([200, "active"]);
    const late = await setUp(tokenOf(squatted));
    expect(outcome(late)).toEqual([409, "email_taken"]);
    expect(late.body.error.message).toContain("confirmed it first");
    const again = await other.owner.post(`/v1/users/${squatted.body.data.id}/setup-link`);
    expect(outcome(again)).toEqual([409, "email_taken"]);
    expect(await refusalsOf(other)).toMatchObject([{ target: { id: squatted.body.data.id } }]);
    expect((await signIn()).body.data.user.id).toBe(added.body.data.id);
    expect(outcome(await add(other.owner, email.toUpperCase()))).toEqual([409, "email_taken"]);
    expect([await stateIn(one), await stateIn(other)]).toEqual(["active", "invited"]);
  });

  test("belongs to one user if two confirm it at the same moment", async () => {
    const tokens = [tokenOf(await add(one.owner)), tokenOf(await add(other.owner))];
    const uses = tokens.map((token) => () => setUp(token));
    const outcomes = (await gateway.race("users where email", email, uses)).map(({ status }) => status);
    expect(outcomes.sort()).toEqual([200, 409]);
    const confirmed = sql`select from users where email = ${email} and confirmed_at is not null`;
    expect((await confirmed.execute(gateway.db)).rows).toHaveLength(1);
  });

  test("belongs to the user who signs in first, with the password that an admin gave", async () => {
    await add(other.owner);
    await setPassword(other, "the password of the squatter");
    const { id } = (await one.owner.post("/v1/users", { ...hire(), password: PASSWORD })).body.data;
    expect(await stateIn(one)).toBe("invited");
    const signedIn = await Promise.all([signIn(), signIn()]);
    for (const { status, body } of signedIn)
      expect([status, body.data.user]).toMatchObject([200, { id, state: "active" }]);
    expect((await signIn("the password of the squatter")).status).toBe(401);
  });

  test("costs a sign-in one hash, whether it is unknown, confirmed, or added by several tenants", async () => {
    const hashes: number[] = [];
    const hook = createHook({ init: (_id, type) => void (type === "SCRYPTREQUEST" && hashes.push(1)) });
    const countHashes = async (run: () => Promise<unknown>) => {
      hashes.length = 0;
      await run();
      return hashes.length;
    };
    const passwords = ["the password of the squatter", PASSWORD, "the password of a third shop"];
    const tenants = [other, one, await gateway.createTenant()];
    hook.enable();
    try {
      const counts = [await countHashes(() => signIn("not the password"))];
      for (const [index, { owner }] of tenants.entries()) {
        await owner.post("/v1/users", { ...hire(), password: passwords[index] });
        counts.push(await countHashes(() => signIn("not the password")));
      }
      counts.push(await countHashes(async () => expect((await signIn()).status).toBe(200)));
      counts.push(await countHashes(async () => expect((await signIn(passwords[0])).status).toBe(401)));
      expect(counts).toEqual(Array(6).fill(1));
    } finally {
      hook.disable();
    }
  });

  test("that nobody has confirmed may be that of an owner whom the operator creates", async () => {
    const invited = await add(other.owner);
    const make = (slug: string) =>
      createTenant(gateway.db, { slug, name: "Made", ownerEmail: email, modules: [] });
    const made = await make(`made-${count}`);
    expect(outcome(await setUp(tokenOf(invited)))).toEqual([409, "email_taken"]);
    expect((await signIn(made.owner.password)).body.data.user.id).toBe(made.owner.id);
    await expect(make(`made-${count}-2`)).rejects.toThrow("already exists");
  });

  test("that is taken is told 10 times an hour, and each time is in the audit log", async () => {
    const taken = one.email;
    for (let times = 0; times < 10; times += 1) {
      expect(outcome(await add(other.owner, taken))).toEqual([409, "email_taken"]);
    }
    const refused = await Promise.all([add(other.owner, taken), add(other.owner)]);
    expect(refused.map(outcome)).toEqual(Array(2).fill([429, "rate_limited"]));
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(1);
    expect((await add(one.owner)).status).toBe(201);
    const entries = await refusalsOf(other);
    expect(entries).toHaveLength(10);
    expect(entries[0]).toMatchObject({
      actor: { id: other.ownerId },
      target: { type: "user", id: taken },
      changes: { request: "POST", code: "email_taken" },
      ip: "127.0.0.1",
    });
  });

  test("refused changes are in the audit log, and cannot fill it", async () => {
    for (let times = 0; times < 32; times += 1) {
      expect(outcome(await one.owner.delete(`/v1/users/${one.ownerId}`))).toEqual([409, "last_owner"]);
    }
    const entries = await refusalsOf(one);
    expect(entries).toHaveLength(30);
    expect(entries[0]).toMatchObject({
      target: { type: "user", id: one.ownerId },
      changes: { request: "DELETE", code: "last_owner" },
    });
  });
});
