// Guessing passwords is slow: 5 failures a minute for an e-mail, 30 for an address, then 429 for the right one too.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { apiClient } from "@tradepost/testing";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

describe("limits on sign-in", () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    // Each test comes from an address of its own.
    gateway = await startTestGateway({ PROXY_HOPS: "1" });
  });
  afterAll(() => gateway.stop());

  const signIn = (email: string, password: string, address = "203.0.113.1") =>
    apiClient(gateway.url).post(
      "/v1/auth/login",
      { email, password },
      { "x-forwarded-for": `6.6.6.6, ${address}` },
    );
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

  test("after 5 failures for an e-mail the right password is 429 too, with Retry-After", async () => {
    const { email, password } = await gateway.makeTenant();
    const wrong = [];
    for (let count = 0; count < 5; count += 1) wrong.push(await signIn(email, "wrong password"));
    expect(statuses(wrong)).toEqual([401, 401, 401, 401, 401]);
    const right = await signIn(email.toUpperCase(), password);
    expect([right.status, right.body.error.code]).toEqual([429, "rate_limited"]);
    const seconds = Number(right.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  test("an unknown e-mail is limited in the same words", async () => {
    const email = `${randomUUID()}@example.com`;
    const answers = [];
    for (let count = 0; count < 6; count += 1)
      answers.push(await signIn(email, "wrong password", "203.0.113.2"));
    expect(statuses(answers)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("successes do not count", async () => {
    const { email, password } = await gateway.makeTenant();
    for (let count = 0; count < 8; count += 1) {
      expect((await signIn(email, password, "203.0.113.3")).status).toBe(200);
    }
  });

  test("guesses made side by side do not get past the limit", async () => {
    const { email } = await gateway.makeTenant();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => signIn(email, "wrong password", "203.0.113.4")),
    );
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(5);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(15);
  });

  test("an address fails 30 times, whatever e-mails it tries; another address is free", async () => {
    const answers = await Promise.all(
      Array.from({ length: 35 }, (_, index) =>
        signIn(`nobody${index}@example.com`, "wrong password", "203.0.113.5"),
      ),
    );
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(5);
    const { email, password } = await gateway.makeTenant();
    expect((await signIn(email, password, "203.0.113.5")).status).toBe(429);
    expect((await signIn(email, password, "203.0.113.6")).status).toBe(200);
  });
});
