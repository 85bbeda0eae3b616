// While one tenant runs six imports of 50,000 lines each, no read of another tenant fails.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { sleep } from "@tradepost/runtime";
import { apiClient, bearer } from "@tradepost/testing";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const IMPORTS = 6;

describe("six large imports of one tenant at once", () => {
  let platform: TestPlatform;
  let busy: TestTenant;
  let other: TestTenant;

  beforeAll(async () => {
    platform = await startTestPlatform({
      TENANT_CONCURRENCY_MAX: "",
      RATE_LIMIT_PER_SECOND: "",
      TENANT_RATE_LIMIT_PER_SECOND: "",
    });
    busy = await platform.createTenant();
    other = await platform.createTenant();
  });
  afterAll(() => platform.stop());

  /** Reads, and records the status of each read. Returns how long the reads took, in ms. */
  const readAll = async (statuses: number[]) => {
    // The pause keeps the reads below the key's rate limit, however fast the machine is.
    await sleep(50);
    const startedAt = performance.now();
    for (const path of ["/v1/orders?limit=1", "/v1/me", "/v1/redirects?limit=1"]) {
      statuses.push((await other.key.get(path)).status);
    }
    return performance.now() - startedAt;
  };

  test("do not delay another tenant's reads, with one key or with several", async () => {
    const items = Array.from({ length: 500 }, (_, index) => ({ sku: `A-${index}`, name: "Mug" }));
    const orders = Array.from({ length: 100 }, () => ({ customerId: busy.customerId, items }));
    const body = JSON.stringify({ orders });
    // Each import has its own key, because the rate limit of one key allows only one import.
    const keys = await Promise.all(
      Array.from({ length: IMPORTS }, () =>
        busy.owner.post("/v1/api-keys", { label: "import", scopes: ["write:crm_bulk"] }),
      ),
    );
    // The time of a read without imports, because the machine may be busy with something else.
    let usualMs = 0;
    for (let count = 0; count < 10; count += 1) usualMs = Math.max(usualMs, await readAll([]));
    let inProgress = IMPORTS;
    const imports = Promise.all(
      keys.map(async ({ body: { data } }) => {
        const headers = { "content-type": "application/json" };
        const response = await apiClient(platform.url, bearer(data.key)).send("POST", "/v1/orders/bulk", {
          headers,
          body,
        });
        inProgress -= 1;
        return response;
      }),
    );
    const statuses: number[] = [];
    let slowestMs = 0;
    while (inProgress > 0) slowestMs = Math.max(slowestMs, await readAll(statuses));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(statuses.length).toBeGreaterThan(30);
    // All four services run in this process and share the machine with the database.
    expect(slowestMs).toBeLessThan(10_000 + 10 * usualMs);
    const [first, ...others] = (await imports).map(({ status }) => status).sort();
    expect(first).toBe(200);
    for (const status of others) expect([200, 429]).toContain(status);
  }, 300_000);
});
