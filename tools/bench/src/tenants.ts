// Creates the tenants of a bench. Benches share equal tenants, because creating one takes as long as a sign-in.
import type { Platform } from "@tradepost/devstack";
import { createTenants, type TenantCredentials } from "@tradepost/devstack";

const EVENTS = ["redirect.added"];
const created = new Map<string, TenantCredentials>();

/** `wanted` is a number of tenants without subscriptions, or the URL of one subscription for each tenant. */
export async function benchTenants(
  { url, databases }: Platform,
  wanted: number | readonly string[],
): Promise<TenantCredentials[]> {
  const keyed =
    typeof wanted === "number"
      ? Array.from({ length: wanted }, (_, index) => ({ key: `customer-${index + 1}` }))
      : wanted.map((receiver) => ({ key: receiver, subscription: { url: receiver, events: EVENTS } }));
  const missing = keyed.filter(({ key }) => !created.has(key));
  const tenants = await createTenants(
    url,
    databases.gateway,
    missing.map((tenant, index) => ({ ...tenant, slug: `bench-${created.size + index + 1}` })),
  );
  for (const [index, { key }] of missing.entries()) created.set(key, tenants[index] as TenantCredentials);
  return keyed.map(({ key }) => created.get(key) as TenantCredentials);
}
