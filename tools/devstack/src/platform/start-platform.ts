// Starts Postgres, RabbitMQ and the four services, with each process supervised. `npm start`, chaos and the bench use it.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { brokerUrls, sleep } from "@tradepost/runtime";
import { type FaultProxy, startFaultProxy } from "@tradepost/testing";
import { claimPorts } from "../process/ports.ts";
import { step } from "../process/step.ts";
import { createSupervisor, type Supervisor } from "../process/supervisor.ts";
import { type Broker, startBroker } from "../servers/start-broker.ts";
import { type Databases, startDatabases } from "../servers/start-databases.ts";
import { type PlatformSecrets, readPlatformSecrets } from "../settings/platform-secrets.ts";
import {
  forEachService,
  type PlatformSettings,
  SERVICES,
  type ServiceName,
} from "../settings/platform-settings.ts";
import { trustedCertificates } from "./authority.ts";
import {
  respondsOk,
  type ServiceEnvironment,
  type ServiceProgram,
  serviceProgram,
} from "./service-program.ts";
import { TOGETHER, togetherProgram } from "./together-program.ts";

export interface PlatformOptions {
  settings: PlatformSettings;
  /**
   * One by default. Several are named `orders-1`, `orders-2`, and each connection between two programs goes through a proxy, which can
   * reset it or discard its bytes.
   */
  replicas?: number;
  /** The services are one process, named `services`. */
  isTogether?: boolean;
  /** Makes what the services need besides the servers; begins with the servers' start. */
  prepare?: () => Promise<unknown>;
  log: (line: string) => void;
  supervisor?: Supervisor;
}

export type Platform = Awaited<ReturnType<typeof startPlatform>>;

const READY_TIMEOUT_MS = 180_000;
const READY_POLL_MS = 50;

/** Rejects with a sentence for the person at the terminal; then nothing is running. */
export async function startPlatform(options: PlatformOptions) {
  const { supervisor = createSupervisor({ log: () => {}, restarted: () => {} }) } = options;
  try {
    return await start({ ...options, supervisor });
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

type CompleteOptions = PlatformOptions & { supervisor: Supervisor };

async function start(options: CompleteOptions) {
  const { settings, replicas = 1, isTogether = false, log, supervisor } = options;
  const { dataDir } = settings;
  for (const folder of ["logs", "run"]) await mkdir(path.join(dataDir, folder), { recursive: true });
  const secrets = readPlatformSecrets(dataDir);
  const [{ databases, broker }] = await Promise.all([startServers(options, secrets), options.prepare?.()]);
  const addresses = await claimServiceAddresses(settings, replicas);
  const proxies: Proxies = replicas > 1 ? await startProxies(databases.login, broker.amqpUrl, addresses) : {};
  for (const proxy of Object.values(proxies)) supervisor.onStop(proxy.stop);

  const environments = await serviceEnvironments(options, secrets, { databases, broker, addresses, proxies });
  const programs = SERVICES.map((service) =>
    addresses[service].map(({ name, port }) => serviceProgram(service, name, port, environments[service])),
  );
  const services = programs.flat();
  await step(log, "Starting the services", async () => {
    if (isTogether) {
      const ports = forEachService((service) => addresses[service][0]?.port ?? 0);
      await supervisor.start([togetherProgram(ports, environments)]);
      await Promise.all(services.map(untilReady));
    }
    for (let replica = 0; replica < replicas && !isTogether; replica += 1) {
      const ofReplica = programs.map((ofService) => ofService[replica] as ServiceProgram);
      await startReplica(ofReplica, supervisor);
    }
  });
  const processOf = (name: string) =>
    isTogether && services.some((service) => service.name === name) ? TOGETHER : name;
  const urls = forEachService((name) => addresses[name][0]?.url ?? "");
  return {
    dataDir,
    /** The gateway's address. With proxies, the address of a proxy that connects to any listening gateway process. */
    url: proxies["clients→gateway"]?.url.replace(/\/$/, "") ?? urls.gateway,
    urls,
    services,
    /** With each database's owner. */
    databases: databases.owner,
    superuserUrl: databases.superuserUrl,
    broker,
    secrets,
    /** By the programs that they connect: `gateway→orders`, `orders→postgres`. */
    proxies,
    /** Of a service, of `postgres` or of `rabbitmq`. */
    process: (name: string) => supervisor.process(processOf(name)),
    /** Null during a restart, and for a server that was not started by this launcher. */
    pid: (name: string) => supervisor.pid(processOf(name)),
    untilReady: async () => void (await Promise.all(services.map(untilReady))),
    /** Stops the platform for good. The processes are killed first, because nobody needs the data. */
    kill: async () => {
      supervisor.kill();
      await supervisor.stop();
    },
  };
}

async function startServers(options: CompleteOptions, secrets: PlatformSecrets) {
  const { settings, supervisor, log } = options;
  const [databases, broker] = await Promise.all([
    step(log, "Starting Postgres", () => startDatabases(settings, secrets, supervisor, log)),
    step(log, "Starting RabbitMQ", () => startBroker(settings, secrets.brokerPasswords, supervisor, log)),
  ]);
  return { databases, broker };
}

interface ServiceAddress {
  readonly name: string;
  readonly port: number;
  readonly url: string;
}

type ServiceAddresses = Readonly<Record<ServiceName, readonly ServiceAddress[]>>;

/** The ports of the last start are used again if they are free. */
async function claimServiceAddresses(
  { dataDir, port }: PlatformSettings,
  replicas: number,
): Promise<ServiceAddresses> {
  const namesOf = (service: ServiceName) =>
    replicas === 1 ? [service] : Array.from({ length: replicas }, (_, index) => `${service}-${index + 1}`);
  const ports = await claimPorts(path.join(dataDir, "run/ports.json"), SERVICES.flatMap(namesOf));
  if (port !== 0) ports.gateway = port;
  const addressOf = (name: string): ServiceAddress => {
    const ofName = ports[name] as number;
    return { name, port: ofName, url: `http://127.0.0.1:${ofName}` };
  };
  return forEachService((service) => namesOf(service).map(addressOf));
}

async function serviceEnvironments(
  { settings }: CompleteOptions,
  secrets: PlatformSecrets,
  to: { databases: Databases; broker: Broker; addresses: ServiceAddresses; proxies: Proxies },
): Promise<Record<ServiceName, ServiceEnvironment>> {
  const { databases, broker, addresses, proxies } = to;
  const trustedCertificatesFile = await trustedCertificates(settings.dataDir, settings.extraCertificatesFile);
  const serviceUrls = forEachService(
    (service) => proxies[`gateway→${service}`]?.url ?? addresses[service][0]?.url ?? "",
  );
  return forEachService((service) => ({
    ...{ settings, secrets, serviceUrls, trustedCertificatesFile },
    databaseUrl: through(proxies[`${service}→postgres`], databases.login[service]),
    amqpUrl: through(proxies[`${service}→rabbitmq`], broker.amqpUrls[service]),
  }));
}

/** The gateway starts last, so that it is the first to be stopped. */
async function startReplica(programs: readonly ServiceProgram[], supervisor: Supervisor): Promise<void> {
  const behindGateway = programs.filter(({ service }) => service !== "gateway");
  await Promise.all(behindGateway.map((program) => supervisor.start([program])));
  await supervisor.start(programs.filter(({ service }) => service === "gateway"));
  await Promise.all(programs.map(untilReady));
}

async function untilReady({ name, url }: ServiceProgram): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await respondsOk(url, "/readyz"))) {
    if (Date.now() > deadline) throw new Error(`The service ${name} is not ready: see ${url}/readyz.`);
    await sleep(READY_POLL_MS);
  }
}

type Proxies = Readonly<Record<string, FaultProxy>>;

/**
 * A proxy for each pair of programs that connect. A cluster of brokers gets no proxy, because the services choose among its nodes. A
 * proxy in front of a service connects to any of its processes.
 */
async function startProxies(
  databaseUrls: Readonly<Record<ServiceName, string>>,
  amqpUrl: string,
  addresses: ServiceAddresses,
): Promise<Proxies> {
  const proxies: Record<string, FaultProxy> = {};
  for (const service of SERVICES) {
    const urls = addresses[service].map(({ url }) => url) as [string, ...string[]];
    proxies[`${service}→postgres`] = await startFaultProxy(databaseUrls[service]);
    if (brokerUrls(amqpUrl).length === 1) proxies[`${service}→rabbitmq`] = await startFaultProxy(amqpUrl);
    proxies[`${service === "gateway" ? "clients" : "gateway"}→${service}`] = await startFaultProxy(...urls);
  }
  return proxies;
}

function through(proxy: FaultProxy | undefined, address: string): string {
  if (proxy === undefined) return address;
  const url = new URL(address);
  url.host = new URL(proxy.url).host;
  return url.href;
}
