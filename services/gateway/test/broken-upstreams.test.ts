// Services that are down, slow, cut off or talking nonsense: the caller gets a whole envelope that says which, and
// never half an answer or an inner text.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ClientResponse } from "@tradepost/testing";
import { type Reaction, startByteServer, startRecordingUpstream } from "./support/recording-upstream.ts";
import { startTestGateway, type TestGateway, type TestTenant } from "./support/test-gateway.ts";

// Long enough that a service that does answer is in time on a busy machine.
const UPSTREAM_TIMEOUT_MS = "2000";

describe("a service that does not answer properly", () => {
  let upstream: Awaited<ReturnType<typeof startRecordingUpstream>>;
  let nonsense: Awaited<ReturnType<typeof startByteServer>>;
  let gateway: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    nonsense = await startByteServer("220 smtp.example ESMTP\r\n");
    gateway = await startTestGateway({
      ORDERS_URL: upstream.url,
      CONTENT_URL: nonsense.url,
      UPSTREAM_TIMEOUT_MS,
    });
    tenant = await gateway.createTenant();
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.stop();
    await nonsense.stop();
  });

  const expectFailure = (answer: ClientResponse, status: number, code: string) => {
    expect(answer.body).toEqual({
      success: false,
      error: { code, message: expect.any(String), requestId: answer.headers.get("x-request-id") },
    });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONN|socket|undici|UND_|parse/i);
  };
  const begin: Reaction = (res) =>
    res.writeHead(200, { "content-type": "application/json", "content-length": 100 });

  test.each<[string, number, string, Reaction]>([
    ["closes without an answer", 502, "upstream_unavailable", (res) => res.destroy()],
    [
      "is cut off in the middle of its answer",
      502,
      "upstream_unavailable",
      (res, recorded) => {
        begin(res, recorded);
        res.write('{"success":true,"data":', () => res.destroy());
      },
    ],
    [
      "is cut off in the middle of a chunked answer",
      502,
      "upstream_unavailable",
      (res) => res.write('{"success":true,"data":', () => res.destroy()),
    ],
    ["never begins its answer", 504, "upstream_timeout", () => undefined],
    [
      "stops in the middle of its answer",
      504,
      "upstream_timeout",
      (res, recorded) => {
        begin(res, recorded);
        res.write('{"success":true');
      },
    ],
    [
      "does not accept the gateway's signature",
      502,
      "upstream_unavailable",
      (res) => res.writeHead(401).end('{"error":{"code":"unauthorized"}}'),
    ],
  ])("one that %s is %i %s", async (_what, status, code, reaction) => {
    upstream.behave(reaction);
    expectFailure(await tenant.owner.get("/v1/orders"), status, code);
    expectFailure(await tenant.owner.post("/v1/orders", { items: [] }), status, code);
  });

  test("one that speaks another protocol is 502", async () => {
    expectFailure(await tenant.owner.get("/v1/redirects"), 502, "upstream_unavailable");
  });

  test("one that is down is 503 with Retry-After", async () => {
    const answer = await tenant.owner.get("/v1/webhooks/subscriptions");
    expectFailure(answer, 503, "service_unavailable");
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });

  test("a request that a broken service may have carried out is not sent to it twice", async () => {
    upstream.behave((res) => res.destroy());
    const before = upstream.recorded.length;
    await tenant.owner.post("/v1/orders", {});
    expect(upstream.recorded.length - before).toBe(1);
  });

  test("the next request after each failure is answered as if nothing had been", async () => {
    upstream.behave((res) =>
      res.writeHead(200, { "content-type": "application/json" }).end('{"success":true}'),
    );
    const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.owner.get("/v1/orders")));
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [200, '{"success":true}']),
    );
  });
});
