// Every request of a suspended tenant is 403 `tenant_suspended`, from the next one on, and works again afterwards.
import { expect, test } from "@jest/globals";
import { apiClient, bearer, type ClientResponse } from "@tradepost/testing";
import { callTool } from "./support/mcp-requests.ts";
import { useRecordingUpstream } from "./support/recording-upstream.ts";
import { useGateway } from "./support/test-gateway.ts";

const upstream = await useRecordingUpstream();
const gateway = await useGateway({ ORDERS_URL: upstream.url });
const tenant = await gateway.createTenant();

const outcome = ({ status, body }: ClientResponse) =>
  status === 200 ? "200" : `${status} ${body.error?.code}`;

test("a suspended tenant's requests are refused until it is resumed", async () => {
  const { body } = await tenant.owner.post("/v1/api-keys", { label: "k", scopes: ["read:crm"] });
  const key = apiClient(gateway.url, bearer(body.data.key));
  const anyone = apiClient(gateway.url);
  const { email, password } = tenant;
  const login = (secret = password) => anyone.post("/v1/auth/login", { email, password: secret });
  const cookie = (await login()).headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const requests = () =>
    Promise.all([
      key.get("/v1/me"),
      key.get("/v1/orders"),
      key.post("/v1/orders", {}),
      key.get("/v1/no-such-path"),
      callTool(key, "whoami"),
      tenant.owner.get("/v1/users"),
      tenant.owner.delete(`/v1/users/${tenant.ownerId}`),
      login(),
    ]);

  await gateway.setSuspended(tenant.tenantId, true);
  upstream.recorded.length = 0;
  expect(new Set((await requests()).map(outcome))).toEqual(new Set(["403 tenant_suspended"]));
  expect(outcome(await anyone.post("/v1/auth/refresh", undefined, { cookie }))).toBe("403 tenant_suspended");
  expect(upstream.recorded).toEqual([]);
  expect(outcome(await login("not the password"))).toBe("401 unauthorized");
  expect(outcome(await apiClient(gateway.url, bearer(`${body.data.key.slice(0, -1)}`)).get("/v1/me"))).toBe(
    "401 unauthorized",
  );
  const other = await gateway.createTenant();
  expect(outcome(await other.owner.get("/v1/me"))).toBe("200");

  await gateway.setSuspended(tenant.tenantId, false);
  expect(outcome(await key.get("/v1/orders"))).toBe("200");
  expect(outcome(await login())).toBe("200");
  expect(outcome(await anyone.post("/v1/auth/refresh", undefined, { cookie }))).toBe("200");
});

test("an attempt to sign in to a suspended tenant with the right password is not a failure", async () => {
  await gateway.setSuspended(tenant.tenantId, true);
  const { email, password } = tenant;
  for (let count = 0; count < 6; count += 1) {
    const response = await apiClient(gateway.url).post("/v1/auth/login", { email, password });
    expect(outcome(response)).toBe("403 tenant_suspended");
  }
  await gateway.setSuspended(tenant.tenantId, false);
});
