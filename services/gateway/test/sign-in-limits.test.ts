// Sign-in is limited: 5 failures a minute for an e-mail from one address, 30 for an address, 100 an hour for an e-mail from
// all addresses. Beyond a limit the right password gets 429 too. An attacker elsewhere cannot lock a user out.
import { randomUUID } from "node:crypto";
import { CHEAP_COST, type ClientResponse } from "@tradepost/testing";
import { signInLimit } from "../src/identity/users/sign-in-limit.ts";
import { type BucketStore, type ChargeBucket, memoryStore } from "../src/limits/bucket-store.ts";
import { fillHashQueue } from "./support/fill-hash-queue.ts";
import { cookieOf, outcome, useGateway } from "./support/test-gateway.ts";

const WRONG = "wrong password";
const REFUSED = { status: 429, code: "rate_limited" };

// The tests use up the gateway's limits directly. On a slow machine, a hundred failed sign-ins over HTTP could take longer than the
// windows of the limits.
const buckets = sharedStore();
const limit = signInLimit({ ...buckets, countLimited: () => undefined });
const gateway = await useGateway({ PROXY_HOPS: "1" }, { passwordCost: CHEAP_COST, buckets });

describe("limits on sign-in", () => {
  // Each test uses other addresses.
  const from = (address: string, cookie = "") => ({ "x-forwarded-for": `6.6.6.6, ${address}`, cookie });
  const signIn = (email: string, password: string, address: string, cookie?: string) =>
    gateway.signIn(email, password, { headers: from(address, cookie) });
  const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status);
  const someone = () => `${randomUUID()}@example.com`;
  /** Counts a failed sign-in as the gateway does, and counts it everywhere for `account`. Rejects with 429 beyond a limit. */
  const fail = async (email: string, ip: string, account = email) => {
    const attempt = await limit.begin(email, { ip, userAgent: null });
    await attempt.countEverywhere(account);
  };
  /** Fails that often, for `email` or each time for a new e-mail. */
  const failTimes = async (times: number, ip: string, email?: string) => {
    for (let count = 0; count < times; count += 1) await fail(email ?? someone(), ip);
  };
  const guess = async (times: number, email: string, address: string, cookie?: string) => {
    const responses: ClientResponse[] = [];
    while (responses.length < times) responses.push(await signIn(email, WRONG, address, cookie));
    return responses;
  };
  const deviceOf = (response: ClientResponse) => cookieOf(response, "__Secure-tradepost_device=");

  test("refuses the right password after 5 failures for an e-mail from one address", async () => {
    const { email, password } = await gateway.createTenant();
    expect(statuses(await guess(5, email, "203.0.113.1"))).toEqual([401, 401, 401, 401, 401]);
    const right = await signIn(email.toUpperCase(), password, "203.0.113.1");
    expect(outcome(right)).toEqual([429, "rate_limited"]);
    const seconds = Number(right.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await signIn(email, password, "203.0.113.2")).status).toBe(200);
  });

  test("limits an unknown e-mail with the same message, even the longest", async () => {
    const [known, unknown] = [(await gateway.createTenant()).email, `${"x".repeat(300)}@example.com`];
    for (const email of [known, unknown]) await failTimes(5, "203.0.113.3", email);
    const [one, other] = [
      await signIn(known, WRONG, "203.0.113.3"),
      await signIn(unknown, WRONG, "203.0.113.3"),
    ];
    expect(statuses([one, other])).toEqual([429, 429]);
    expect(other.body.error.message).toBe(one.body.error.message);
  });

  test("cannot be exceeded by concurrent guesses", async () => {
    const { email } = await gateway.createTenant();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => signIn(email, WRONG, "203.0.113.5")),
    );
    expect(statuses(responses).filter((status) => status === 401)).toHaveLength(5);
    expect(statuses(responses).filter((status) => status === 429)).toHaveLength(15);
  });

  test("refuses an address after 30 failures with any e-mails, but not other addresses", async () => {
    const { email, password } = await gateway.createTenant();
    await failTimes(30, "203.0.113.6");
    expect((await signIn(email, password, "203.0.113.6")).status).toBe(429);
    expect((await signIn(email, password, "203.0.113.7")).status).toBe(200);
  });

  test("counts the addresses of one IPv6 /64 as one address", async () => {
    for (let count = 0; count < 30; count += 1) await fail(someone(), `2001:db8:1:2:${count}::1`);
    await expect(fail(someone(), "2001:db8:1:2:ffff::9")).rejects.toMatchObject(REFUSED);
    await fail(someone(), "2001:db8:1:3::1");
    const refused = await signIn(someone(), WRONG, "2001:db8:1:2::77");
    expect(refused.status).toBe(429);
  });

  test("after 100 failures from all addresses refuses new browsers, but not one that has signed in before", async () => {
    const [owner, other] = [await gateway.createTenant(), await gateway.createTenant()];
    const device = deviceOf(await signIn(owner.email, owner.password, "198.51.100.1"));
    const otherDevice = deviceOf(await signIn(other.email, other.password, "198.51.100.1"));
    for (let count = 0; count < 100; count += 1) {
      await fail(owner.email, `198.51.100.${2 + Math.floor(count / 4)}`);
    }
    const elsewhere = await signIn(owner.email, owner.password, "198.51.100.99");
    expect(elsewhere.status).toBe(429);
    expect(Number(elsewhere.headers.get("retry-after"))).toBeGreaterThan(60);
    expect((await signIn(owner.email, owner.password, "198.51.100.98", otherDevice)).status).toBe(429);
    expect((await signIn(owner.email, owner.password, "198.51.100.97", device)).status).toBe(200);
    // The other limits still apply to that browser.
    const guesses = await guess(6, owner.email, "198.51.100.97", device);
    expect(statuses(guesses)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  describe("with a second factor", () => {
    const WRONG_CODE = { recoveryCode: "AAAA-AAAA-AAAA-AAAA" };
    // Addresses of a network that no other test uses.
    const addressOf = (count: number) => `192.0.2.${1 + Math.floor(count / 4)}`;

    /** The owner of a new tenant, with a second factor and a browser that has signed in. Sign-ins use up recovery codes. */
    async function openProtected(ip: string) {
      const { owner, ownerId, email, password } = await gateway.createTenant();
      const { recoveryCodes } = await gateway.protect(owner, password);
      const begin = async (): Promise<string> =>
        (await signIn(email, password, ip)).body.data.secondFactor.token;
      const present = (token: string, proof: object, address: string, cookie?: string) =>
        gateway.anyone.post("/v1/auth/second-factor", { token, ...proof }, from(address, cookie));
      const recoveryCode = () => ({ recoveryCode: recoveryCodes.pop() });
      const device = deviceOf(await present(await begin(), recoveryCode(), ip));
      return { email, ownerId, begin, present, recoveryCode, device };
    }

    test("after 100 failures refuses codes from new browsers, and takes one from a browser that has signed in before", async () => {
      const [user, other] = [await openProtected("198.51.101.1"), await openProtected("198.51.101.2")];
      // The wide limit also refuses the first step, so the tokens are older.
      const tokens = [await user.begin(), await user.begin()] as const;
      for (let count = 0; count < 99; count += 1) await fail(user.email, addressOf(count));
      const counted = await user.present(tokens[0], WRONG_CODE, "198.51.101.3");
      expect(counted.status).toBe(401);
      for (const cookie of ["", other.device]) {
        const refused = await user.present(tokens[1], user.recoveryCode(), "198.51.101.4", cookie);
        expect(outcome(refused)).toEqual([429, "rate_limited"]);
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
      }
      const known = await user.present(tokens[1], user.recoveryCode(), "198.51.101.5", user.device);
      expect(known.status).toBe(200);
    });

    test("after 100 failures of browsers that have signed in before refuses their codes, but not of new ones", async () => {
      const user = await openProtected("198.51.101.6");
      const token = await user.begin();
      for (let count = 0; count < 100; count += 1) {
        await fail(someone(), addressOf(100 + count), `known ${user.ownerId}`);
      }
      const known = await user.present(token, user.recoveryCode(), "198.51.101.7", user.device);
      expect(known.status).toBe(429);
      expect((await user.present(token, user.recoveryCode(), "198.51.101.8")).status).toBe(200);
    });
  });

  test("does not count attempts against the wide limits that a narrow limit refuses", async () => {
    const email = someone();
    await failTimes(5, "203.0.113.9", email);
    for (let count = 0; count < 120; count += 1) {
      await expect(fail(email, "203.0.113.9")).rejects.toMatchObject(REFUSED);
    }
    await fail(someone(), "203.0.113.9");
    await fail(email, "203.0.113.10");
  });

  test("does not count attempts that are refused because the hash queue is full", async () => {
    const email = someone();
    const queue = fillHashQueue();
    const refused = await Promise.all(Array.from({ length: 5 }, () => signIn(email, WRONG, "203.0.113.12")));
    await queue.drain();
    expect(statuses(refused)).toEqual([429, 429, 429, 429, 429]);
    await failTimes(5, "203.0.113.12", email);
    await expect(fail(email, "203.0.113.12")).rejects.toMatchObject(REFUSED);
  });
});

/** A store in which buckets of one name are the same. */
function sharedStore(): BucketStore {
  const store = memoryStore();
  const sets = new Map<string, ChargeBucket>();
  return {
    ...store,
    buckets: (name, size) => {
      const set = sets.get(name) ?? store.buckets(name, size);
      sets.set(name, set);
      return set;
    },
  };
}
