// The environment of a chaos or soak run: a private platform, its tenants, and observers of its webhooks and events.
import { chmod, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TenantCredentials } from "@tradepost/devstack";
import { issueCertificate } from "@tradepost/testing";
import { startEventObserver, startWebhookObserver } from "./observers.ts";
import type { ChaosPlatform, SingleNodePlatform } from "./platform.ts";
import { createChaosTenants } from "./tenants.ts";

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
  const dataDir = await mkdtemp(path.join(tmpdir(), `tradepost-${name}-`));
  // If this runs as root, Postgres runs under another account, which needs execute permission here.
  await chmod(dataDir, 0o755);
  const platform = await start(dataDir, console.log);
  running.defer(() => platform.kill());
  const webhookObserver = await startWebhookObserver(await receiverCertificate(dataDir));
  running.defer(() => webhookObserver.stop());
  const eventObserver = startEventObserver(platform.rabbitmq.amqpUrl);
  running.defer(() => eventObserver.stop());
  await eventObserver.whenUp();
  const tenants = await createChaosTenants(platform, webhookObserver);
  return { platform, tenants, webhookObserver, eventObserver };
}

async function receiverCertificate(dataDir: string) {
  const authority = path.join(dataDir, "ca/authority");
  const [certificate, key] = await Promise.all([
    readFile(`${authority}.crt`, "utf8"),
    readFile(`${authority}.key`, "utf8"),
  ]);
  return await issueCertificate({ certificate, key }, ["localhost", "127.0.0.1"]);
}
