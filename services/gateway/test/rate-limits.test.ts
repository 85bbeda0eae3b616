// How many requests a second one key or user may make, and how every answer tells it.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ApiResponse, apiClient, bearer, testRedisUrl, until } from "@tradepost/testing";
import { startTestGateway, type TestGateway, type TestTenant } from "./support/test-gateway.ts";

const PER_SECOND = 5;
const redisUrl = testRedisUrl();

describe("rate limits", () => {
  let gateway: TestGateway;
  let tenant: TestTenant;
  let unlimited: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    unlimited = gateway.url;
    tenant = await gateway.makeTenant();
  });
  afterAll(() => gateway.stop());

  async function keyOf(scopes: string[] = []) {
    const { body } = await tenant.owner.post("/v1/api-keys", { label: "limited", scopes });
    return body.data.key as string;
  }
  const told = ({ headers }: ApiResponse) =>
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map((name) => headers.get(name));

  test("are off by default, and then no header speaks of them", async () => {
    expect(told(await apiClient(unlimited, bearer(await keyOf())).get("/v1/me"))).toEqual([null, null, null]);
  });

  test("are told on every authenticated answer, forwarded and refused ones too", async () => {
    const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "100" });
    const client = apiClient(url, bearer(await keyOf()));
    const answers = [
      await client.get("/v1/me"),
      await client.get("/v1/api-keys"),
      await client.get("/v1/nothing"),
      await client.get("/v1/orders"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 404, 503]);
    for (const answer of answers) expect(told(answer)).toEqual(["100", expect.stringMatching(/^\d+$/), "1"]);
    expect(told(await apiClient(url).get("/v1/me"))).toEqual([null, null, null]);
  });

  test("past the limit it is 429 with Retry-After, for this key alone, until the second is over", async () => {
    const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: String(PER_SECOND) });
    const key = apiClient(url, bearer(await keyOf()));
    const answers = await Promise.all(Array.from({ length: PER_SECOND + 3 }, () => key.get("/v1/me")));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    for (const answer of refused) {
      expect(answer.body.error.code).toBe("rate_limited");
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(told(answer)).toEqual([String(PER_SECOND), "0", "1"]);
    }
    expect((await apiClient(url, bearer(await keyOf())).get("/v1/me")).status).toBe(200);
    await until("the second to be over", async () => (await key.get("/v1/me")).status === 200);
  });

  test("a Redis that is away keeps nobody out: each replica counts for itself", async () => {
    const away = { RATE_LIMIT_PER_SECOND: String(PER_SECOND), RATE_LIMIT_REDIS_URL: "redis://127.0.0.1:9" };
    const { url } = await gateway.startReplica(away);
    const key = apiClient(url, bearer(await keyOf()));
    const answers = await Promise.all(Array.from({ length: PER_SECOND + 3 }, () => key.get("/v1/me")));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  });

  (redisUrl === undefined ? test.skip : test)(
    "are shared by all replicas through Redis (where Redis can be had)",
    async () => {
      const shared = {
        // Enough that a slow machine does not need a second window for them all.
        RATE_LIMIT_PER_SECOND: String(PER_SECOND),
        RATE_LIMIT_REDIS_URL: redisUrl ?? "",
      };
      const replicas = [await gateway.startReplica(shared), await gateway.startReplica(shared)];
      const key = await keyOf();
      await until("a limit that both know of", async () => {
        const answers = await Promise.all(
          Array.from({ length: PER_SECOND * 2 }, (_, index) =>
            apiClient(replicas[index % 2]?.url ?? "", bearer(key)).get("/v1/me"),
          ),
        );
        return answers.filter(({ status }) => status === 200).length === PER_SECOND;
      });
    },
  );
});
