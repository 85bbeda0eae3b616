// Requests for signed links to media, which have no credential: what the service sees, and what limits them.
import { randomUUID } from "node:crypto";
import { apiClient, bearer, until } from "@tradepost/testing";
import { type Respond, useRecordingUpstream } from "./support/recording-upstream.ts";
import { outcome, principalOf, useGateway } from "./support/test-gateway.ts";

const NOBODY = "00000000-0000-0000-0000-000000000000";
// How many requests of one address may be in progress, and how many may wait.
const OF_ADDRESS_MAX = 16;
const WAITING_MAX = 64;

const upstream = await useRecordingUpstream();
const gateway = await useGateway({ CONTENT_URL: upstream.url });
const tenant = await gateway.createTenant();
const stranger = await gateway.createTenant();

describe("a request for a media link", () => {
  beforeEach(() => {
    upstream.recorded.length = 0;
    upstream.respondWith((res) => res.end("{}"));
  });

  const linkOf = (tenantId: string) =>
    `/v1/media/${randomUUID()}/links/file?tenant=${tenantId}&expires=1&signature=2`;

  const clientAt = (url: string, address: string) => apiClient(url, gateway.from(address));

  test("is signed by the gateway, as a viewer of no tenant and without modules", async () => {
    const path = linkOf(tenant.tenantId);
    for (const headers of [{}, bearer(tenant.token), bearer("nonsense")]) {
      for (const method of ["GET", "HEAD"])
        expect((await apiClient(gateway.url, headers).send(method, path)).status).toBe(200);
    }
    expect(upstream.recorded.length).toBe(6);
    for (const { req } of upstream.recorded) {
      expect(req.url).toBe(path);
      expect(req.headers.authorization).toBeUndefined();
      expect(await principalOf(req)).toEqual({
        tenantId: NOBODY,
        role: "viewer",
        actor: { type: "user", id: NOBODY, name: "a media link" },
        scopes: [],
        modules: [],
      });
    }
  });

  test("opens nothing else: other paths and methods need a credential", async () => {
    const path = linkOf(tenant.tenantId);
    const [file = "", query] = path.split("?");
    const [media = ""] = file.split("/links");
    for (const [method, other] of [
      ["GET", `${media}?${query}`],
      ["GET", `${media}/file?${query}`],
      ["GET", `${media}/links?${query}`],
      ["GET", `${file}/?${query}`],
      ["GET", `${file}/%2e%2e/../file?${query}`],
      ["GET", `${media}/links%2ffile?${query}`],
      ["GET", `/v1/media?${query}`],
      ...["POST", "PUT", "PATCH", "DELETE"].map((change) => [change, path] as const),
    ] as const) {
      const response = await gateway.anyone.send(method, other);
      expect([method, other, ...outcome(response)]).toEqual([method, other, 401, "unauthorized"]);
    }
    expect(upstream.recorded).toEqual([]);
  });

  test("is left to the service if it names no tenant", async () => {
    const path = linkOf(tenant.tenantId);
    for (const unnamed of [path.split("?")[0] ?? "", path.replace(tenant.tenantId, "x")]) {
      expect((await gateway.anyone.get(unnamed)).status).toBe(200);
    }
    expect(upstream.recorded.length).toBe(2);
  });

  test("is 404 while the module is not active", async () => {
    const setActive = (active: boolean) => tenant.owner.put("/v1/modules/content", { active });
    const { get } = gateway.anyone;
    const path = linkOf(tenant.tenantId);
    expect((await setActive(false)).status).toBe(200);
    expect(outcome(await get(path))).toEqual([404, "not_found"]);
    expect(upstream.recorded).toEqual([]);
    expect((await setActive(true)).status).toBe(200);
    expect((await get(path)).status).toBe(200);
  });

  test("is 404 if the tenant is unknown or suspended, and then does not reach the service", async () => {
    const { anyone } = gateway;
    await gateway.setSuspended(tenant.tenantId, true);
    for (const id of [tenant.tenantId, randomUUID()]) {
      const { status, body } = await anyone.get(linkOf(id));
      expect([status, body.error.message]).toEqual([404, "No such media link."]);
    }
    expect(upstream.recorded).toEqual([]);
    await gateway.setSuspended(tenant.tenantId, false);
    expect((await anyone.get(linkOf(tenant.tenantId))).status).toBe(200);
  });

  test("costs its address, not the tenant", async () => {
    const limited = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "1", PROXY_HOPS: "1" });
    const from = (address: string) => clientAt(limited.url, address);
    const path = linkOf(tenant.tenantId);
    const requests = Array.from({ length: 12 }, () => from("203.0.113.1").get(path));
    const refused = (await Promise.all(requests)).find(({ status }) => status === 429);
    expect(refused?.body.error.code).toBe("rate_limited");
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await from("203.0.113.2").get(path)).status).toBe(200);
    const owner = gateway.as(tenant.token, limited.url);
    expect((await owner.get("/v1/me")).status).toBe(200);
  });

  test("costs by its bytes, for its address and for all links of its tenant", async () => {
    const limited = await gateway.startReplica({ TENANT_RATE_LIMIT_PER_SECOND: "1", PROXY_HOPS: "1" });
    upstream.respondWith((res) => res.end(Buffer.alloc(2 * 1024 * 1024)));
    const from = (address: string) => clientAt(limited.url, address);
    const path = linkOf(tenant.tenantId);
    expect((await from("203.0.113.1").get(path)).status).toBe(200);
    let refused = await from("203.0.113.2").get(path);
    await until("the charge for the bytes", async () => {
      refused = await from("203.0.113.2").get(path);
      return refused.status === 429;
    });
    expect(refused.body.error.message).toBe("Too many requests of this tenant.");
    const owner = gateway.as(tenant.token, limited.url);
    expect((await owner.get("/v1/me")).status).toBe(200);
    expect((await from("203.0.113.1").get(linkOf(stranger.tenantId))).status).toBe(200);
  });

  test("waits, then gets 429, while its address reads many links, and delays nobody else", async () => {
    const limited = await gateway.startReplica({ PROXY_HOPS: "1" });
    const pending: Parameters<Respond>[0][] = [];
    upstream.respondWith((res) => void pending.push(res));
    const path = linkOf(tenant.tenantId);
    const slow = clientAt(limited.url, "203.0.113.1");
    const responses = Array.from({ length: OF_ADDRESS_MAX + WAITING_MAX + 1 }, () => slow.get(path));
    expect(outcome(await Promise.race(responses))).toEqual([429, "rate_limited"]);
    await until("the address's share to be used", () => pending.length === OF_ADDRESS_MAX);

    upstream.respondWith((res) => res.end("{}"));
    expect((await clientAt(limited.url, "203.0.113.2").get(path)).status).toBe(200);
    const owner = gateway.as(tenant.token, limited.url);
    expect((await owner.get("/v1/media")).status).toBe(200);
    expect(pending.length).toBe(OF_ADDRESS_MAX);
    for (const res of pending) res.end("{}");
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(OF_ADDRESS_MAX + WAITING_MAX).fill(200), 429]);
  });
});
