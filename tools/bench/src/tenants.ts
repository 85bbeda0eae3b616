// Creates the tenants of a bench. Benches reuse tenants of the same kind, because creating one takes as long as a sign-in.
import { type TenantCredentials, withConnection } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { apiClient, bearer } from "@tradepost/testing";
import type { MeasureContext } from "./benches/bench.ts";
import type { MeasuredPlatform } from "./platform.ts";

const EVENTS = ["redirect.added"];
const createdOn = new WeakMap<MeasuredPlatform, Map<string, TenantCredentials>>();

/** Pass a number for tenants without subscriptions, or an entry for each tenant: the URLs to subscribe. */
export async function benchTenants(
  platform: MeasuredPlatform,
  wanted: number | readonly (string | readonly string[])[],
): Promise<TenantCredentials[]> {
  const created = createdOn.get(platform) ?? new Map<string, TenantCredentials>();
  createdOn.set(platform, created);
  const keyed =
    typeof wanted === "number"
      ? Array.from({ length: wanted }, (_, index) => ({ key: `customer-${index + 1}`, urls: [] }))
      : wanted.map((urls) => ({ key: String(urls), urls: [urls].flat() }));
  const missing = keyed.filter(({ key }) => !created.has(key));
  const tenants = await platform.createTenants(
    missing.map((_, index) => `bench-${created.size + index + 1}`),
  );
  for (const [index, { key, urls }] of missing.entries()) {
    const tenant = tenants[index] as TenantCredentials;
    for (const receiver of urls)
      await subscribe(platform.url, tenant, { name: receiver, url: receiver, events: EVENTS });
    created.set(key, tenant);
  }
  return keyed.map(({ key }) => created.get(key) as TenantCredentials);
}

/** Each tenant has a webhook. */
export function eightTenants({ platform, receivers }: MeasureContext): Promise<TenantCredentials[]> {
  return benchTenants(
    platform,
    receivers.urls.slice(0, 8).map((url) => `${url}/`),
  );
}

async function subscribe(
  url: string,
  { ownerToken }: TenantCredentials,
  subscription: object,
): Promise<void> {
  const { status, text } = await apiClient(url, bearer(ownerToken)).post(
    "/v1/webhooks/subscriptions",
    subscription,
  );
  if (status !== 201) throw new Error(`the subscription was refused with ${status}: ${text}`);
}

/** Deletes the subscriptions, which also cancels their waiting deliveries. */
export async function deleteSubscriptions(
  { url }: MeasuredPlatform,
  { ownerToken }: TenantCredentials,
): Promise<void> {
  const owner = apiClient(url, bearer(ownerToken));
  for (;;) {
    const { body } = await owner.get("/v1/webhooks/subscriptions");
    const subscriptions = body.data as { id: string }[];
    if (subscriptions.length === 0) return;
    for (const { id } of subscriptions) await owner.delete(`/v1/webhooks/subscriptions/${id}`);
  }
}

const POLL_MS = 100;

/** Resolves when these tenants have no open delivery. */
export function untilOver(platform: MeasuredPlatform, tenantIds: readonly string[]): Promise<void> {
  const statement = "select not exists (select from deliveries where tenant_id = any($1::uuid[])) as done";
  return poll(platform, statement, [tenantIds]);
}

/** Resolves when this tenant has `count` events. An event is stored together with its deliveries. */
export function untilFannedOut(platform: MeasuredPlatform, tenantId: string, count: number): Promise<void> {
  return poll(platform, "select count(*) >= $2 as done from events where tenant_id = $1", [tenantId, count]);
}

async function poll(
  { databases }: MeasuredPlatform,
  text: string,
  values: readonly unknown[],
): Promise<void> {
  await withConnection(databases.webhooks, async (execute) => {
    while ((await execute(text, values))[0]?.done !== true) await sleep(POLL_MS);
  });
}
