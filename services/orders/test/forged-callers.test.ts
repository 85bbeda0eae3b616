// Requests sent directly to the service, bypassing the gateway: without a recent signature for this request and this principal
// they get 401 and write nothing (interface §3).
import { randomBytes, randomUUID } from "node:crypto";
import { apiClient, readMetrics, requestSigner } from "@tradepost/testing";
import { ownTestOrders } from "./support/test-orders.ts";

const PATH = "/v1/orders";
const JSON_TYPE = { "content-type": "application/json" };
const now = () => Math.floor(Date.now() / 1000);

const orders = await ownTestOrders();
const shop = await orders.openShop();

describe("a request past the gateway", () => {
  const order = JSON.stringify(shop.order());
  type Signed = Partial<Record<"secret" | "path" | "method" | "body" | "idempotencyKey", string>>;
  const signed = ({ at = now(), ...overrides }: Signed & { at?: number } = {}) => {
    const { secret = orders.secret, path = PATH, method = "POST", body = order, idempotencyKey } = overrides;
    const client = { ip: "192.0.2.1", userAgent: "Shop/1.0 (Zürich)" };
    const { tenantId } = shop;
    const sign = requestSigner(secret, { tenantId, scopes: [], modules: ["crm"], client });
    const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
    return sign({ method, path, headers, body }, at);
  };
  const post = (headers: Record<string, string>, path = PATH, body = order) =>
    apiClient(orders.url).send("POST", path, { headers: { ...headers, ...JSON_TYPE }, body });

  const expectRefused = async (response: Awaited<ReturnType<typeof post>>) => {
    const requestId = response.headers.get("x-request-id");
    const error = { code: "unauthorized", message: expect.any(String), requestId };
    expect([response.status, response.body]).toEqual([401, { success: false, error }]);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
  };

  test("is accepted with the gateway's signature for 30 s", async () => {
    expect((await post(signed())).status).toBe(201);
    expect((await post(signed({ at: now() - 25 }))).status).toBe(201);
  });

  test("is accepted with any of the secrets while one is replaced, and no longer with the one that was removed", async () => {
    const newer = randomBytes(32).toString("hex");
    const replicaWith = async (secrets: string[]) => {
      const replica = await orders.startReplica({ GATEWAY_SECRET: secrets.join(",") });
      const signedWith = async (secret: string) =>
        (await apiClient(replica.url).post(PATH, shop.order(), signed({ secret }))).status;
      return { signedWith, stop: replica.stop };
    };
    const both = await replicaWith([newer, orders.secret]);
    expect(await Promise.all([orders.secret, newer].map(both.signedWith))).toEqual([201, 201]);
    expect(await both.signedWith(`${newer},${orders.secret}`)).toBe(401);
    await both.stop();
    const last = await replicaWith([newer]);
    expect(await Promise.all([orders.secret, newer].map(last.signedWith))).toEqual([401, 201]);
    await last.stop();
  });

  // The service sends the reason, if a row has one, to the gateway, and counts it.
  test.each<[string, () => Record<string, string>, string?]>([
    ["without any identity", () => ({}), "missing"],
    ["with an API key", () => ({ authorization: `Bearer sk_live_${"a".repeat(12)}_${"b".repeat(43)}` })],
    ["without a signature", () => ({ ...signed(), "x-gateway-signature": "" })],
    ["with a malformed signature", () => ({ ...signed(), "x-gateway-signature": `t=${now()},v1=00` })],
    ["signed with another secret", () => signed({ secret: "another secret" }), "mismatch"],
    ["signed with it 31 s ago", () => signed({ at: now() - 31, secret: "another secret" }), "mismatch"],
    ["signed 31 s ago", () => signed({ at: now() - 31 }), "expired"],
    ["signed 1 minute in the future", () => signed({ at: now() + 60 }), "clock"],
    ["replayed with a newer time", () => withTime(signed({ at: now() - 60 }), now())],
    ["replayed from another path", () => signed({ path: "/v1/customers" })],
    ["replayed from the same path with a query", () => signed({ path: `${PATH}?x=1` })],
    ["replayed from another method", () => signed({ method: "GET" })],
    ["with another tenant", () => ({ ...signed(), "x-tenant-id": randomUUID() })],
    ["with another actor", () => ({ ...signed(), "x-actor-id": randomUUID() })],
    ["with another actor's type", () => ({ ...signed(), "x-actor-type": "api_key" })],
    ["with another module", () => ({ ...signed(), "x-modules": "content crm" })],
    ["with another scope", () => ({ ...signed(), "x-scopes": "write:crm" })],
    ["with another role", () => ({ ...signed(), "x-role": "admin" })],
    ["with another body", () => signed({ body: '{"customerId":"other"}' })],
    ["without a body", () => signed({ body: "" })],
    ["without the digest of its body", () => ({ ...signed(), "x-body-sha256": "" })],
    ["with a body that is said to be streamed", () => ({ ...signed(), "x-body-sha256": "streamed" })],
    ["with a quota that is used up", () => ({ ...signed(), "x-passed-quotas": "eventBytes" })],
    ["with a confirmed address", () => ({ ...signed(), "x-confirmed-emails": "mallory%40x.example" })],
    ["without its Idempotency-Key", () => signed({ idempotencyKey: "mine" })],
    ["with an added Idempotency-Key", () => ({ ...signed(), "idempotency-key": "mine" })],
    [
      "with another Idempotency-Key",
      () => ({ ...signed({ idempotencyKey: "mine" }), "idempotency-key": "yours" }),
    ],
    ["with another address", () => ({ ...signed(), "x-client": "203.0.113.7" })],
    ["without its address", () => ({ ...signed(), "x-client": "" })],
    ["with another request id", () => ({ ...signed(), "x-request-id": "mine" })],
    // With a default, because Jest passes its callback `done` for a parameter that a row lacks.
  ])("%s gets 401 and writes nothing", async (_what, headers, reason = "") => {
    const counts = async () => [
      (await readMetrics(orders.url))(`signature_refused_total{reason="${reason}"}`) ?? 0,
      (await orders.db.selectFrom("orders").select("id").execute()).length,
    ];
    const [refusals = 0, orderCount] = await counts();
    const response = await post(headers());
    await expectRefused(response);
    if (reason !== "") expect(response.headers.get("x-signature-refused")).toBe(reason);
    expect(await counts()).toEqual([reason === "" ? 0 : refusals + 1, orderCount]);
  });

  test("is accepted with its Idempotency-Key and body, and with a body of other spacing gets 401", async () => {
    const idempotencyKey = randomUUID();
    const headers = { ...signed({ idempotencyKey }), "idempotency-key": idempotencyKey };
    await expectRefused(await post(headers, PATH, JSON.stringify(shop.order(), null, 1)));
    expect((await post(headers)).status).toBe(201);
  });

  test("gets 401 before its path, method or body is checked", async () => {
    await expectRefused(await post({}, "/v1/nothing"));
    await expectRefused(await apiClient(orders.url).delete(PATH));
    await expectRefused(await apiClient(orders.url).send("POST", PATH, { body: "{" }));
  });
});

/** Replaces the time but keeps the signature. */
function withTime(headers: Record<string, string>, timeSeconds: number): Record<string, string> {
  const signature = headers["x-gateway-signature"] ?? "";
  return { ...headers, "x-gateway-signature": signature.replace(/^t=\d+/, `t=${timeSeconds}`) };
}
