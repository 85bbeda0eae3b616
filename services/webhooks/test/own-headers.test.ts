// A subscription's own headers: sent with every attempt, sealed at rest, and never shown.
import { type ClientResponse, until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/subscriptions";
const MASK = "•••";
const TOKEN = "Bearer 8f4a-token-of-the-receiver";
const KEY = "k-27-of-the-gateway";

describe("a subscription's own headers", () => {
  const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms,1h" });

  const input = () => ({ name: "Test", url: `${receiver.url}/hook`, events: ["redirect.added"] });
  const create = (headers: unknown) => tenant.owner().post(PATH, { ...input(), headers });
  const subscribe = (headers: Record<string, string>) => tenant.subscribe("/hook", undefined, { headers });
  const change = (id: string, headers: unknown) => tenant.change(id, { headers });
  /** The headers that the receiver gets with the next event. */
  const received = async () => {
    receiver.received.length = 0;
    await tenant.emit();
    return (await receiver.waitFor("the event", () => true)).headers;
  };
  const expectFaults = (response: ClientResponse, ...names: string[]) =>
    expect([response.body.error?.code, ...faultsOf(response)]).toEqual([
      ...["validation_error", 422],
      ...names.map((name) => (name === "" ? "headers" : `headers.${name}`)),
    ]);

  test("are merged by a JSON merge patch, which keeps the values of those that it does not name", async () => {
    const { id } = await subscribe({ Authorization: TOKEN, "X-Old": "1" });
    const patch = { headers: { "X-Old": null, "X-Api_Key": KEY } };
    const type = { "content-type": "application/merge-patch+json" };
    const { body } = await tenant.owner().patch(`${PATH}/${id}`, patch, type);
    expect(body.data.headers).toEqual({ Authorization: MASK, "X-Api_Key": MASK });
    expect(await received()).toMatchObject({ authorization: TOKEN, "x-api_key": KEY });
  });

  test("are sent with every attempt, also of redeliveries and tests, and with their signatures", async () => {
    receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
    const { id } = await subscribe({ Authorization: TOKEN, "X-Api_Key": KEY });
    await tenant.emit();
    const delivery = await tenant.untilDelivery(id, "delivered");
    await tenant.redeliver(delivery.id);
    await tenant.act(id, "test");
    await until("every attempt", () => receiver.received.length === 6);
    for (const { headers } of receiver.received) {
      expect(headers).toMatchObject({ authorization: TOKEN, "x-api_key": KEY, host: expect.any(String) });
      expect(headers).toHaveProperty("x-service-signature");
    }
    const { request } = await tenant.delivery(delivery.id);
    expect(request.headers).toMatchObject({ Authorization: MASK, "X-Api_Key": MASK });
  });

  test("are masked in every response and in the audit log, and sealed in the database", async () => {
    const created = await create({ Authorization: TOKEN });
    const { id } = created.body.data;
    const masked = { Authorization: MASK };
    expect(created.body.data.headers).toEqual(masked);
    const changed = await change(id, { Authorization: MASK, "X-Key": KEY });
    expect(changed.body.data.headers).toEqual({ ...masked, "X-Key": MASK });
    await tenant.emit();
    const delivery = await tenant.untilDelivery(id, "delivered");
    const responses = [
      created,
      changed,
      await tenant.owner().get(`${PATH}/${id}`),
      await tenant.owner().get(PATH),
      await tenant.act(id, "rotate-secret"),
      await tenant.act(id, "test"),
      await tenant.owner().get(`/v1/webhooks/deliveries/${delivery.id}`),
      await create({ Authorization: TOKEN, Host: KEY }),
      await change(id, { Authorization: `${TOKEN}\n`, "X-Key": KEY.repeat(100) }),
    ];
    expect(await webhooks.auditEntries(tenant.tenantId, id)).toMatchObject([
      { action: "webhook_subscription.created", data: { changes: { headers: masked } } },
      {
        action: "webhook_subscription.updated",
        data: { changes: { headers: { ...masked, "X-Key": MASK } } },
      },
      { action: "webhook_subscription.secret_rotated" },
    ]);
    expect(await webhooks.find(id)).not.toEqual([]);
    expect(await webhooks.find(TOKEN, KEY)).toEqual([]);
    const values = [TOKEN, KEY].flatMap((value) => [value, Buffer.from(value).toString("hex")]);
    for (const { text } of responses) for (const value of values) expect(text).not.toContain(value);
  });

  test("are replaced as a whole, and ••• keeps a value", async () => {
    const { id } = await subscribe({ Authorization: TOKEN, "X-Key": KEY, "X-Old": "1" });
    const { status, body } = await change(id, { authorization: MASK, "X-Key": "other", "X-New": "2" });
    expect([status, body.data.headers]).toEqual([200, { authorization: MASK, "X-Key": MASK, "X-New": MASK }]);
    const headers = await received();
    expect(headers).toMatchObject({ authorization: TOKEN, "x-key": "other", "x-new": "2" });
    expect(headers).not.toHaveProperty("x-old");
    await tenant.change(id, { name: "Not the headers" });
    expect(await received()).toMatchObject({ authorization: TOKEN, "x-key": "other" });
    for (const none of [{}, null]) {
      await change(id, { "X-Key": KEY });
      expect((await change(id, none)).body.data.headers).toEqual({});
      expect(await received()).not.toHaveProperty("x-key");
    }
  });

  test("that stay the same change nothing", async () => {
    const { id } = await subscribe({ Authorization: TOKEN, "X-Key": KEY });
    const before = await tenant.subscription(id);
    for (const same of [MASK, TOKEN])
      expect((await change(id, { Authorization: same, "X-Key": MASK })).body.data).toEqual(before);
    expect(await webhooks.auditEntries(tenant.tenantId, id)).toHaveLength(1);
    expect((await change(id, { Authorization: TOKEN, "X-Key": "other" })).body.data.version).toBe(2);
  });

  test("whose value cannot be kept are refused by name, and change nothing", async () => {
    const { id } = await subscribe({ Authorization: TOKEN });
    const refused = await change(id, { "X-Key": MASK, Authorization: "other", Cookie: MASK });
    expectFaults(refused, "Cookie", "X-Key");
    expect(await received()).toMatchObject({ authorization: TOKEN });
    expectFaults(await create({ Authorization: MASK }), "Authorization");
  });

  describe("with a URL of another origin", () => {
    const changeUrl = (id: string, url: string, headers?: unknown) => tenant.change(id, { url, headers });

    test("must be sent again, and nothing changes without their values", async () => {
      const { id } = await subscribe({ Authorization: TOKEN, "X-Key": KEY });
      const before = await tenant.subscription(id);
      const port = `${receiver.url.replace(/:\d+$/, ":9")}/hook`;
      const refused: [unknown, string[]][] = [
        [undefined, ["Authorization", "X-Key"]],
        [{ Authorization: MASK, "X-Key": KEY }, ["Authorization"]],
        [{ authorization: TOKEN, "x-key": MASK, "X-New": MASK }, ["X-New", "x-key"]],
      ];
      for (const url of ["https://hooks.example.com/hook", port]) {
        for (const [headers, names] of refused) {
          const response = await changeUrl(id, url, headers);
          expectFaults(response, ...names);
          expect(response.body.error.details[0].message).toMatch(/^must have its value again/);
        }
      }
      expect(await tenant.subscription(id)).toEqual(before);
    });

    test("are sent there with the values of the same request, or removed", async () => {
      const { id } = await subscribe({ Authorization: TOKEN });
      const url = `${receiver.url.replace(/:\d+$/, ":9")}/hook`;
      const changed = await changeUrl(id, url, { Authorization: "other" });
      expect([changed.status, changed.body.data.headers]).toEqual([200, { Authorization: MASK }]);
      for (const none of [{}, null]) {
        const { id: other } = await subscribe({ Authorization: TOKEN });
        const removed = await changeUrl(other, url, none);
        expect([removed.status, removed.body.data.headers]).toEqual([200, {}]);
      }
      const { id: bare } = await subscribe({});
      expect((await changeUrl(bare, url)).status).toBe(200);
    });

    test("are kept at another path of the same origin", async () => {
      const { id } = await subscribe({ Authorization: TOKEN });
      expect((await changeUrl(id, `${receiver.url}/other?shop=1`)).status).toBe(200);
      expect(await received()).toMatchObject({ authorization: TOKEN });
    });
  });

  test("refuse a name that occurs twice in the JSON text", async () => {
    const { id } = await subscribe({ "X-Key": KEY });
    const headers = '"headers":{"X-Key":"1","X-Other":"2","X-\\u004bey":"3"}';
    const type = { "content-type": "application/json" };
    for (const [method, path, body] of [
      ["POST", PATH, `${JSON.stringify(input()).slice(0, -1)},${headers}}`],
      ["PATCH", `${PATH}/${id}`, `{${headers}}`],
    ] as const)
      expectFaults(await tenant.owner().send(method, path, { headers: type, body }), "X-Key");
    expect(await received()).toMatchObject({ "x-key": KEY });
  });

  test("name every fault, and a name that differs in its case only is one", async () => {
    const refused = await create({ "X-Key": "1", "x-key": "2", Host: "a", "X-Empty": "" });
    expectFaults(refused, "Host", "X-Empty", "x-key");
    for (const headers of [[], "X-Key: 1", 7]) expectFaults(await create(headers), "");
  });

  test("are at most 10, of 64 and 1,024 characters", async () => {
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`${index}`.padStart(64, "x"), "v".repeat(1_024)]),
      );
    await subscribe(many(10));
    expect(Object.values(await received())).toContain("v".repeat(1_024));
    for (const count of [11, 1_500]) expectFaults(await create(many(count)), "");
  });

  test("may have any allowed name, also one that JavaScript gives a meaning", async () => {
    const { status, body } = await create(JSON.parse('{"__proto__":"1","constructor":"2"}'));
    expect([status, JSON.stringify(body.data.headers)]).toEqual([
      201,
      `{"__proto__":"${MASK}","constructor":"${MASK}"}`,
    ]);
    expect(Object.entries(await received())).toEqual(expect.arrayContaining([["constructor", "2"]]));
  });
});
