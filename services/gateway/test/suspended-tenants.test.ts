// Every request of a suspended tenant is 403 `tenant_suspended`, from the next one on, and works again afterwards.
import { callTool } from "./support/mcp-requests.ts";
import { useRecordingUpstream } from "./support/recording-upstream.ts";
import { outcome, useGateway } from "./support/test-gateway.ts";

const upstream = await useRecordingUpstream();
const gateway = await useGateway({ ORDERS_URL: upstream.url });
const tenant = await gateway.createTenant();

const login = (password = tenant.password) => gateway.signIn(tenant.email, password);
const SUSPENDED = [403, "tenant_suspended"];

test("a suspended tenant's requests are refused until it is resumed", async () => {
  const { client: key, key: secret } = await gateway.createKey(tenant, ["read:crm"]);
  const { cookie } = await login();
  const refresh = () => gateway.anyone.post("/v1/auth/refresh", undefined, { cookie });
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
  for (const response of await requests()) expect(outcome(response)).toEqual(SUSPENDED);
  expect(outcome(await refresh())).toEqual(SUSPENDED);
  expect(upstream.recorded).toEqual([]);
  for (const refused of [
    await login("not the password"),
    await gateway.as(secret.slice(0, -1)).get("/v1/me"),
  ])
    expect(outcome(refused)).toEqual([401, "unauthorized"]);
  const other = await gateway.createTenant();
  expect((await other.owner.get("/v1/me")).status).toBe(200);

  await gateway.setSuspended(tenant.tenantId, false);
  for (const { status } of [await key.get("/v1/orders"), await login(), await refresh()])
    expect(status).toBe(200);
});

test("an attempt to sign in to a suspended tenant with the right password is not a failure", async () => {
  await gateway.setSuspended(tenant.tenantId, true);
  for (let count = 0; count < 6; count += 1) expect(outcome(await login())).toEqual(SUSPENDED);
  await gateway.setSuspended(tenant.tenantId, false);
});
