// Creates the tenants of a chaos or soak run. Each has a subscription at the webhook observer.
import { createTenants, type TenantCredentials } from "@tradepost/devstack";
import { apiClient, bearer } from "@tradepost/testing";
import { HISTORY_CONTENT_TYPE } from "./history/entry-workload.ts";
import type { WebhookObserver } from "./observers.ts";
import type { ChaosPlatform } from "./platform.ts";

const HISTORY_SLUG = "chaos-history";
const SLUGS = ["chaos-1", "chaos-2", "chaos-3", "chaos-4"];
const EVENTS = ["redirect.added", "redirect.removed"];

export async function createChaosTenants(
  platform: ChaosPlatform,
  observer: WebhookObserver,
): Promise<TenantCredentials[]> {
  return await createObserved(platform, observer, SLUGS);
}

/** Its clients work on the same orders, redirects and entries. */
export async function createHistoryTenant(
  platform: ChaosPlatform,
  observer: WebhookObserver,
): Promise<TenantCredentials> {
  const [tenant] = await createObserved(platform, observer, [HISTORY_SLUG]);
  if (tenant === undefined) throw new Error("no tenant was created");
  const type = { name: "History", fields: [{ key: "title", type: "text", required: true }] };
  const owner = apiClient(platform.url, bearer(tenant.ownerToken));
  const { status, text } = await owner.put(`/v1/content-types/${HISTORY_CONTENT_TYPE}`, type);
  if (status >= 300) throw new Error(`creating the content type failed with ${status}: ${text}`);
  return tenant;
}

async function createObserved(
  { url, databases }: ChaosPlatform,
  observer: WebhookObserver,
  slugs: readonly string[],
): Promise<TenantCredentials[]> {
  const newTenants = slugs.map((slug) => ({
    slug,
    subscription: { url: `${observer.url}/${slug}`, events: EVENTS },
  }));
  const tenants = await createTenants(url, databases.gateway, newTenants);
  for (const [index, { signingSecret }] of tenants.entries())
    observer.expect(`/${slugs[index]}`, signingSecret);
  return tenants;
}
