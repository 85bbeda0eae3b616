// Makes files with settings and secrets for services of a test, and starts services in the test's own process.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { settings as content } from "@tradepost/content/config";
import { startContent } from "@tradepost/content/service";
import {
  claimPorts,
  readPlatformSecrets,
  readPlatformSettings,
  SERVICES,
  type ServiceName,
} from "@tradepost/devstack";
import { settings as gateway } from "@tradepost/gateway/config";
import { type StartOptions, startGateway } from "@tradepost/gateway/service";
import { settings as orders } from "@tradepost/orders/config";
import { startOrders } from "@tradepost/orders/service";
import { type Logger, readSettings } from "@tradepost/runtime";
import { settings as webhooks } from "@tradepost/webhooks/config";
import { startWebhooks } from "@tradepost/webhooks/service";

/** Creates a data directory as `npm start` has one. */
export function createServiceFiles(environment: Record<string, string> = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), "tradepost-services-"));
  for (const folder of ["run", "logs", "media"]) mkdirSync(path.join(dataDir, folder));
  return {
    dataDir,
    mediaDir: path.join(dataDir, "media"),
    // Without the other settings of the shell that runs the tests.
    settings: readPlatformSettings({
      PATH: process.env.PATH,
      ...environment,
      PORT: "0",
      TRADEPOST_DATA_DIR: dataDir,
    }),
    secrets: readPlatformSecrets(dataDir),
    trustedCertificatesFile: process.env.NODE_EXTRA_CA_CERTS ?? "",
    claimPorts: <Name extends string>(names: readonly Name[]) =>
      claimPorts(path.join(dataDir, "run/ports.json"), [...names]),
    logOf: (name: string) => readFileSync(path.join(dataDir, `logs/${name}.log`), "utf8"),
    remove: () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/**
 * Starts a service in the test's own process. A separate process would compile and warm up its code, which takes several times the
 * CPU time of most tests.
 */
export function startService(
  service: ServiceName,
  environment: Record<string, string>,
  logger: Logger,
  options: StartOptions = {},
) {
  switch (service) {
    case "gateway":
      return startGateway(readSettings(gateway, environment), logger, options);
    case "orders":
      return startOrders(readSettings(orders, environment), logger);
    case "content":
      return startContent(readSettings(content, environment), logger);
    case "webhooks":
      return startWebhooks(readSettings(webhooks, environment), logger);
  }
}

/** Runs `work` for all services concurrently. */
export async function forServices<Value>(
  work: (service: ServiceName) => Promise<Value>,
): Promise<Record<ServiceName, Value>> {
  const entries = await Promise.all(SERVICES.map(async (service) => [service, await work(service)] as const));
  return Object.fromEntries(entries) as Record<ServiceName, Value>;
}
