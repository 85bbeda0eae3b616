// Creates the tenants of a bench. Benches reuse tenants of the same kind, because creating one takes as long as a sign-in.
import type { Platform } from "@tradepost/devstack";
import { createTenants, type TenantCredentials } from "@tradepost/devstack";
import { apiClient, bearer } from "@tradepost/testing";

const EVENTS = ["redirect.added"];
const created = new Map<string, TenantCredentials>();

/** Pass a number for tenants without subscriptions, or an entry for each tenant: the URLs to subscribe. */
export async function benchTenants(
  { url, databases }: Platform,
  wanted: number | readonly (string | readonly string[])[],
): Promise<TenantCredentials[]> {
  const keyed =
    typeof wanted === "number"
      ? Array.from({ length: wanted }, (_, index) => ({ key: `customer-${index + 1}`, urls: [] }))
      : wanted.map((urls) => ({ key: String(urls), urls: [urls].flat() }));
  const missing = keyed.filter(({ key }) => !created.has(key));
  const tenants = await createTenants(
    url,
    databases.gateway,
    missing.map((_, index) => ({ slug: `bench-${created.size + index + 1}` })),
  );
  for (const [index, { key, urls }] of missing.entries()) {
    const tenant = tenants[index] as TenantCredentials;
    for (const receiver of urls)
      await subscribe(url, tenant, { name: receiver, url: receiver, events: EVENTS });
    created.set(key, tenant);
  }
  return keyed.map(({ key }) => created.get(key) as TenantCredentials);
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
  { url }: Platform,
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
