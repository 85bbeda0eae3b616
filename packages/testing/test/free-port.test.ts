import { expect, test } from "@jest/globals";
import { freePort } from "@tradepost/testing";

test("no port is chosen twice in a run, even if nothing listens on it", async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
});
