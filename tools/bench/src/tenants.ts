// The tenants of a bench. Those that are alike serve every bench of a run: making one takes as long as a person's sign-in.

import type { Platform } from "@tradepost/devstack";
import { createTenants, type TenantCredentials } from "@tradepost/devstack";

const EVENTS = ["redirect.added"];
const made = new Map<string, TenantCredentials>();

/** In: how many, or a subscription's URL for each. Out: as many different tenants. */
export async function benchTenants(
  { url, databases }: Platform,
  wanted: number | readonly string[],
): Promise<TenantCredentials[]> {
  const slugs =
    typeof wanted === "number"
      ? Array.from({ length: wanted }, (_, index) => ({ key: `customer-${index + 1}` }))
      : wanted.map((receiver) => ({ key: receiver, subscription: { url: receiver, events: EVENTS } }));
  const missing = slugs.filter(({ key }) => !made.has(key));
  const tenants = await createTenants(
    url,
    databases.gateway,
    missing.map((one, index) => ({ ...one, slug: `bench-${made.size + index + 1}` })),
  );
  for (const [index, { key }] of missing.entries()) made.set(key, tenants[index] as TenantCredentials);
  return slugs.map(({ key }) => made.get(key) as TenantCredentials);
}
