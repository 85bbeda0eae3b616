// Says how each of the four services is started: with which settings, on which port.
import path from "node:path";
import { claimPorts } from "../process/ports.ts";
import { launch, type Startable, waitUntilReady } from "../process/running.ts";
import type { StackSecrets } from "../settings/stack-secrets.ts";
import { SERVICES, type ServiceName, type StackSettings } from "../settings/stack-settings.ts";

export interface ServiceProcess<Name extends string = string> extends Startable {
  readonly name: Name;
  readonly url: string;
}

export interface Surroundings {
  settings: StackSettings;
  secrets: StackSecrets;
  /** Of the roles that the services log in as. */
  databaseUrls: Record<ServiceName, string>;
  /** As the services' own users. */
  amqpUrls: Record<ServiceName, string>;
  trustedCertificatesFile: string;
}

const ROOT = path.resolve(import.meta.dirname, "../../../..");
// With it neither the services nor their source need to be compiled again, nor what strips the types be loaded: 20 MiB.
const COMPILE_CACHE_DIR = path.join(ROOT, ".cache/compiled");
// For a process that hangs: a laptop at full load needs a minute.
const START_WITHIN_MS = 180_000;
// As in the image: a heap that may become large is collected seldom, and each thread's own arena keeps what it has had.
const MEMORY = {
  flags: ["--max-semi-space-size=8", "--max-old-space-size=768"],
  env: { MALLOC_ARENA_MAX: "1" },
};

/** The gateway, and the services behind it. Their ports are the saved ones where those are free. */
export async function serviceProcesses(
  around: Surroundings,
): Promise<{ gateway: ServiceProcess<ServiceName>; behind: ServiceProcess<ServiceName>[] }> {
  const { dataDir, port } = around.settings;
  const ports = await claimPorts(path.join(dataDir, "run/ports.json"), [...SERVICES]);
  if (port !== 0) ports.gateway = port;
  const urls = Object.fromEntries(SERVICES.map((name) => [name, `http://127.0.0.1:${ports[name]}`])) as Urls;
  const one = (name: ServiceName) => serviceProcess({ service: name, name, port: ports[name], urls, around });
  const behind = SERVICES.filter((name) => name !== "gateway");
  return { gateway: one("gateway"), behind: behind.map(one) };
}

/**
 * In: which service, what this process of it is called (its logs are), its port, and where the gateway finds the
 * services. Out: the process, not started yet.
 */
export function serviceProcess<Name extends string>(one: {
  service: ServiceName;
  name: Name;
  port: number;
  urls: Readonly<Record<ServiceName, string>>;
  around: Surroundings;
}): ServiceProcess<Name> {
  const { service, name, port, urls, around } = one;
  const url = `http://127.0.0.1:${port}`;
  const env = { ...common(service, port, around), ...particular(service, urls, around) };
  return {
    name,
    url,
    start: (signal) => start({ service, name, url, env, dataDir: around.settings.dataDir }, signal),
    answersHealthz: (withinMs) => answersOk(url, "/healthz", withinMs),
  };
}

/** Whether a service answers 200 on `/healthz` (it lives) or `/readyz` (its database and broker answer too). */
export async function answersOk(
  url: string,
  probe: "/healthz" | "/readyz",
  withinMs = 2_000,
): Promise<boolean> {
  try {
    const response = await fetch(url + probe, { signal: AbortSignal.timeout(withinMs) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

type Urls = Readonly<Record<ServiceName, string>>;

function common(name: ServiceName, port: number, around: Surroundings): Record<string, string> {
  return {
    ...around.settings.everyService,
    NODE_COMPILE_CACHE: COMPILE_CACHE_DIR,
    ...MEMORY.env,
    HOST: "127.0.0.1",
    PORT: String(port),
    AMQP_URL: around.amqpUrls[name],
    [`${name.toUpperCase()}_DATABASE_URL`]: around.databaseUrls[name],
  };
}

function particular(name: ServiceName, urls: Urls, around: Surroundings): Record<string, string> {
  const { secrets, settings } = around;
  if (name !== "gateway") {
    const behindGateway = { GATEWAY_SECRET: secrets.gatewaySecrets[name] };
    if (name === "content") return { ...behindGateway, ...settings.content };
    if (name !== "webhooks") return behindGateway;
    return {
      ...behindGateway,
      ...settings.webhooks,
      WEBHOOKS_SEALING_KEY: secrets.webhooksSealingKey,
      NODE_EXTRA_CA_CERTS: around.trustedCertificatesFile,
    };
  }
  return {
    ...settings.gateway,
    ORDERS_URL: urls.orders,
    CONTENT_URL: urls.content,
    WEBHOOKS_URL: urls.webhooks,
    ORDERS_GATEWAY_SECRET: secrets.gatewaySecrets.orders,
    CONTENT_GATEWAY_SECRET: secrets.gatewaySecrets.content,
    WEBHOOKS_GATEWAY_SECRET: secrets.gatewaySecrets.webhooks,
    TOKEN_SIGNING_KEYS: secrets.tokenSigningKeys,
  };
}

/** Resolves when the service lives. Whether its database and broker answer is not asked: they may be down themselves. */
async function start(
  of: { service: ServiceName; name: string; url: string; env: Record<string, string>; dataDir: string },
  signal: AbortSignal | undefined,
) {
  const { service, name, url, env, dataDir } = of;
  const logFile = path.join(dataDir, `logs/${name}.log`);
  const running = launch({
    name,
    command: process.execPath,
    args: [...MEMORY.flags, "--conditions=source", "--disable-warning=ExperimentalWarning", "src/main.ts"],
    env,
    cwd: path.join(ROOT, "services", service),
    logFile,
    pidFile: path.join(dataDir, `run/${name}.pid`),
    stopSignal: "SIGTERM",
    stopWithinMs: 10_000,
  });
  const isAlive = () => answersOk(url, "/healthz");
  await waitUntilReady(
    running,
    { name: `The service ${name}`, logFile, withinMs: START_WITHIN_MS },
    isAlive,
    signal,
  );
  return running;
}
