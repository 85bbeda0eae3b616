import path from "node:path";
import { type LaunchOptions, launchUntilReady, type Program } from "../process/program.ts";
import type { PlatformSecrets } from "../settings/platform-secrets.ts";
import type { PlatformSettings, ServiceName } from "../settings/platform-settings.ts";
import { COMPILE_CACHE_DIR, ROOT } from "../settings/root.ts";

export interface ServiceProgram extends Program {
  readonly service: ServiceName;
  readonly url: string;
}

export interface ServiceEnvironment {
  settings: PlatformSettings;
  secrets: PlatformSecrets;
  databaseUrl: string;
  /** With the service's own user. */
  amqpUrl: string;
  serviceUrls: Readonly<Record<ServiceName, string>>;
  trustedCertificatesFile: string;
  /** By default this repository. */
  root?: string;
}

// A process that takes longer hangs. A laptop at full load needs a minute.
const START_TIMEOUT_MS = 180_000;
// The same as in the image. V8 seldom collects a large heap; with one malloc arena, freed memory returns to the system; and a service
// may collect garbage when it comes to rest.
export const MEMORY = {
  flags: ["--max-semi-space-size=8", "--max-old-space-size=768", "--expose-gc"],
  env: { MALLOC_ARENA_MAX: "1" },
};

// Longer than the longest wait of a request (25 s) and the shortest stop.
const STOP_MS = 31_000;
const ATTEMPT_MS = 10_000;

/** A program of Node. It is ready, and alive, if all `urls` respond. */
export function nodeProgram(
  name: string,
  options: {
    title: string;
    dataDir: string;
    folder: string;
    env: Record<string, string>;
    stopTimeoutMs: number;
  },
  urls: readonly string[],
): Program {
  const { title, dataDir, folder, env, stopTimeoutMs } = options;
  const launched: LaunchOptions = {
    name,
    command: process.execPath,
    args: [...MEMORY.flags, "--conditions=source", "--disable-warning=ExperimentalWarning", "src/main.ts"],
    ...{ env, cwd: folder, stopSignal: "SIGTERM", stopTimeoutMs },
    logFile: path.join(dataDir, `logs/${name}.log`),
    pidFile: path.join(dataDir, `run/${name}.pid`),
  };
  // Does not ask /readyz, because the database or the broker may be down.
  const isLive = async (timeoutMs?: number) =>
    (await Promise.all(urls.map((url) => respondsOk(url, "/healthz", timeoutMs)))).every(Boolean);
  const ready = { title, timeoutMs: START_TIMEOUT_MS, isReady: () => isLive() };
  return { name, isLive, start: (signal) => launchUntilReady(launched, ready, signal) };
}

/** `name` is the name of the process and its log file, because a service may have several processes. */
export function serviceProgram(
  service: ServiceName,
  name: string,
  port: number,
  environment: ServiceEnvironment,
): ServiceProgram {
  const url = `http://127.0.0.1:${port}`;
  const { settings, root = ROOT } = environment;
  const options = {
    ...{ title: `The service ${name}`, dataDir: settings.dataDir },
    folder: path.join(root, "services", service),
    env: environmentOf(service, port, environment),
    stopTimeoutMs: stopTimeout(service, settings),
  };
  return { service, url, ...nodeProgram(name, options, [url]) };
}

/** Longer than a service takes to stop, unless it hangs. */
export function stopTimeout(service: ServiceName, { everyService, webhooks }: PlatformSettings): number {
  const attemptMs = service === "webhooks" ? Number(webhooks.WEBHOOKS_TIMEOUT_MS ?? ATTEMPT_MS) : 0;
  return Number(everyService.DRAIN_IDLE_MS) + STOP_MS + attemptMs;
}

export async function respondsOk(
  url: string,
  path: "/healthz" | "/readyz",
  timeoutMs = 2_000,
): Promise<boolean> {
  try {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(timeoutMs) });
    // Without the broker a service is ready, but degraded.
    return response.status === 200 && !(await response.text()).includes('"degraded"');
  } catch {
    return false;
  }
}

export function environmentOf(
  service: ServiceName,
  port: number,
  environment: ServiceEnvironment,
): Record<string, string> {
  return { ...commonSettings(service, port, environment), ...ownSettings(service, environment) };
}

function commonSettings(
  service: ServiceName,
  port: number,
  { settings, databaseUrl, amqpUrl, root = ROOT }: ServiceEnvironment,
): Record<string, string> {
  return {
    ...settings.everyService,
    // The cache also avoids loading the type stripper, which takes 20 MiB.
    NODE_COMPILE_CACHE: COMPILE_CACHE_DIR,
    ...MEMORY.env,
    // In tests, this file receives the responses that are compared with this release's API description.
    ...(root === ROOT &&
      process.env.TRADEPOST_RESPONSES_FILE !== undefined && {
        TRADEPOST_RESPONSES_FILE: process.env.TRADEPOST_RESPONSES_FILE,
      }),
    HOST: "127.0.0.1",
    PORT: String(port),
    AMQP_URL: amqpUrl,
    [`${service.toUpperCase()}_DATABASE_URL`]: databaseUrl,
  };
}

function ownSettings(
  service: ServiceName,
  { settings, secrets, serviceUrls, trustedCertificatesFile }: ServiceEnvironment,
): Record<string, string> {
  switch (service) {
    case "gateway":
      return {
        ...settings.gateway,
        ORDERS_URL: serviceUrls.orders,
        CONTENT_URL: serviceUrls.content,
        WEBHOOKS_URL: serviceUrls.webhooks,
        ORDERS_GATEWAY_SECRET: secrets.gatewaySecrets.orders,
        CONTENT_GATEWAY_SECRET: secrets.gatewaySecrets.content,
        WEBHOOKS_GATEWAY_SECRET: secrets.gatewaySecrets.webhooks,
        TOKEN_SIGNING_KEYS: secrets.tokenSigningKeys,
        NODE_EXTRA_CA_CERTS: trustedCertificatesFile,
      };
    case "orders":
      return { ...settings.orders, GATEWAY_SECRET: secrets.gatewaySecrets.orders };
    case "content":
      return {
        ...settings.content,
        GATEWAY_SECRET: secrets.gatewaySecrets.content,
        CONTENT_MEDIA_LINK_SECRETS: secrets.mediaLinkSecrets,
      };
    case "webhooks":
      return {
        ...settings.webhooks,
        GATEWAY_SECRET: secrets.gatewaySecrets.webhooks,
        WEBHOOKS_SEALING_KEY: secrets.webhooksSealingKey,
        ...(secrets.webhooksSealingKeys !== undefined && {
          WEBHOOKS_SEALING_KEYS: secrets.webhooksSealingKeys,
        }),
        NODE_EXTRA_CA_CERTS: trustedCertificatesFile,
      };
  }
}
