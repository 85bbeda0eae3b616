// The environment of a chaos or soak run: a private platform, its tenants, and observers of its webhooks and events.
import {
  createTenants,
  receiverCertificate,
  type TenantCredentials,
  temporaryDataDir,
} from "@tradepost/devstack";
import { apiClient, bearer } from "@tradepost/testing";
import { HISTORY_CONTENT_TYPE } from "./history/entry-workload.ts";
import { startEventObserver, startWebhookObserver, type WebhookObserver } from "./observers.ts";
import type { ChaosPlatform, SingleNodePlatform } from "./platform.ts";

export interface Environment<Started extends ChaosPlatform = SingleNodePlatform> {
  readonly platform: Started;
  readonly tenants: readonly TenantCredentials[];
  readonly webhookObserver: Awaited<ReturnType<typeof startWebhookObserver>>;
  readonly eventObserver: ReturnType<typeof startEventObserver>;
}

export async function startEnvironment<Started extends ChaosPlatform>(
  name: string,
  running: AsyncDisposableStack,
  start: (dataDir: string, log: (line: string) => void) => Promise<Started>,
): Promise<Environment<Started>> {
  const dataDir = temporaryDataDir(name);
  const platform = await start(dataDir, console.log);
  running.defer(() => platform.kill());
  const webhookObserver = await startWebhookObserver(await receiverCertificate(dataDir));
  running.defer(() => webhookObserver.stop());
  const eventObserver = startEventObserver(platform.rabbitmq.amqpUrl);
  running.defer(() => eventObserver.stop());
  await eventObserver.whenUp();
  const tenants = await createObserved(platform, webhookObserver, SLUGS);
  return { platform, tenants, webhookObserver, eventObserver };
}

const HISTORY_SLUG = "chaos-history";
const SLUGS = ["chaos-1", "chaos-2", "chaos-3", "chaos-4"];
const EVENTS = ["redirect.added", "redirect.removed"];

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

/** Each has a subscription at the observer. */
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
