// The platform that the faults strike: two processes of each service on private servers of their own, with a proxy on
// every way between any two, so that each can be cut or swallowed.
import { rmSync } from "node:fs";
import path from "node:path";
import {
  answersOk,
  claimPorts,
  createKeeper,
  holdable,
  readStackSettings,
  SERVICES,
  type ServiceName,
  type ServiceProcess,
  serviceProcess,
  startPrivateServers,
  trustedCertificates,
} from "@tradepost/devstack";
import { type FaultProxy, startFaultProxy } from "@tradepost/testing";

export type Stack = Awaited<ReturnType<typeof startStack>>;

const REPLICAS = [1, 2] as const;
const READY_WITHIN_MS = 90_000;

// Short waits, so that what a fault delayed is seen within seconds; the mechanisms are those of the real schedule.
const SETTINGS = {
  WEBHOOKS_RETRY_SCHEDULE: "1s,1s,2s,2s,3s,4s,5s",
  WEBHOOKS_TIMEOUT_MS: "3000",
  WEBHOOKS_SWEEP_GRACE_MS: "3000",
  DRAIN_IDLE_MS: "5000",
  // A stream is faster than one key may be.
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_CONCURRENCY_MAX: "0",
  // It would be heard on the exchange and be nobody's doing.
  CANARY_EVERY_MS: "0",
  LOG_LEVEL: "warn",
};

/** In: an empty or new directory. Out: everything, ready. `stop` ends it all and removes the directory. */
export async function startStack(dataDir: string, say: (line: string) => void) {
  const keeper = createKeeper({ say: () => undefined, changed: () => undefined });
  const proxies: FaultProxy[] = [];
  try {
    const { rabbitmq, amqpUrls, held, secrets, databases } = await startPrivateServers(dataDir, keeper, say);
    const ports = await claimPorts(
      path.join(dataDir, "run/ports.json"),
      SERVICES.flatMap((service) => REPLICAS.map((number) => `${service}-${number}`)),
    );
    const addressesOf = (service: ServiceName) =>
      REPLICAS.map((number) => `http://127.0.0.1:${ports[`${service}-${number}`]}`) as [string, string];

    say("Starting two of each service …");
    const between = await openWays({ databases: databases.login, amqpUrl: rabbitmq.amqpUrl, addressesOf });
    proxies.push(...Object.values(between));
    // What stands before the gateways anywhere: a connection goes to one that listens.
    const front = await startFaultProxy(...addressesOf("gateway"));
    proxies.push(front);
    const urls = Object.fromEntries(
      SERVICES.map((service) => [
        service,
        service === "gateway" ? "" : (between[`gateway→${service}`]?.url ?? ""),
      ]),
    ) as Record<ServiceName, string>;
    const settings = readStackSettings({
      ...process.env,
      ...SETTINGS,
      TRADEPOST_DATA_DIR: dataDir,
      PORT: "0",
    });
    const trustedCertificatesFile = await trustedCertificates(dataDir, undefined);
    const processes = SERVICES.flatMap((service) =>
      REPLICAS.map((number) => ({
        service,
        ...holdableService(
          serviceProcess({
            service,
            name: `${service}-${number}`,
            port: ports[`${service}-${number}`] as number,
            urls,
            around: {
              settings,
              secrets,
              databaseUrls: {
                ...databases.login,
                [service]: through(between[`${service}→postgres`], databases.login[service]),
              },
              amqpUrls: {
                ...amqpUrls,
                [service]: through(between[`${service}→rabbitmq`], amqpUrls[service]),
              },
              trustedCertificatesFile,
            },
          }),
        ),
      })),
    );
    for (const number of [0, 1]) {
      const now = processes.filter((_, index) => index % 2 === number);
      await Promise.all(now.map(({ startable }) => keeper.keep([startable])));
      await Promise.all(now.map(({ url }) => untilReady(url)));
    }
    return {
      dataDir,
      databases: databases.owner,
      rabbitmq,
      keeper,
      between,
      processes,
      url: front.url.replace(/\/$/, ""),
      /** By the name of a service's process, `postgres` or `rabbitmq`. */
      holds: (name: string) => {
        const all = [...held.postgres, ...held.rabbitmq, ...processes];
        const found = all.find(({ startable }) => startable.name === name);
        if (found === undefined) throw new Error(`nothing here is called ${name}`);
        return found;
      },
      untilAllReady: () => Promise.all(processes.map(({ url }) => untilReady(url))),
      stop: async () => {
        // Nothing of it is worth a farewell.
        keeper.kill();
        await keeper.stop();
        await Promise.all(proxies.map((proxy) => proxy.stop()));
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await keeper.stop();
    throw error;
  }
}

function holdableService(process: ServiceProcess) {
  return { ...holdable(process), url: process.url };
}

/** One proxy for each pair that talks; those before services stand before both processes of it. */
async function openWays(to: {
  databases: Record<ServiceName, string>;
  amqpUrl: string;
  addressesOf: (service: ServiceName) => [string, string];
}): Promise<Record<string, FaultProxy>> {
  const ways: Record<string, FaultProxy> = {};
  for (const service of SERVICES) {
    ways[`${service}→postgres`] = await startFaultProxy(to.databases[service]);
    ways[`${service}→rabbitmq`] = await startFaultProxy(to.amqpUrl);
    if (service !== "gateway") ways[`gateway→${service}`] = await startFaultProxy(...to.addressesOf(service));
  }
  return ways;
}

/** The address with the proxy's host and port in place of its own. */
function through(proxy: FaultProxy | undefined, address: string): string {
  const url = new URL(address);
  if (proxy !== undefined) url.host = new URL(proxy.url).host;
  return url.href;
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await answersOk(url, "/readyz"))) {
    if (Date.now() > deadline) throw new Error(`${url} is not ready after ${READY_WITHIN_MS / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
