// What replicas of the four services need: a data directory, a broker, databases, ports, and a balancer in front of each service.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { claimPorts, readPlatformSecrets, SERVICES, type ServiceName } from "@tradepost/devstack";
import { createTestBroker, type TestServiceDatabase, until } from "@tradepost/testing";
import { isReady, startBalancer } from "./balancer.ts";

/** A name such as `orders-1`. */
export type ReplicaName = `${ServiceName}-${number}`;

/** Each service has two replicas. No service runs yet. `ended` stops and removes everything. */
export async function startBalancedServices(
  ended: AsyncDisposableStack,
  createDatabase: (service: ServiceName) => Promise<TestServiceDatabase>,
) {
  const dataDir = mkdtempSync(path.join(tmpdir(), "tradepost-replicas-"));
  ended.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  for (const folder of ["run", "logs", "media"]) mkdirSync(path.join(dataDir, folder));
  const broker = await createTestBroker();
  ended.defer(broker.drop);
  const databases = await forServices(createDatabase);
  ended.defer(async () => void (await forServices((service) => databases[service].drop())));
  const names = SERVICES.flatMap((service): ReplicaName[] => [`${service}-1`, `${service}-2`]);
  const ports = await claimPorts(path.join(dataDir, "run/ports.json"), names);
  const urlOf = (name: ReplicaName) => `http://127.0.0.1:${ports[name]}`;
  const balancers = await forServices((service) =>
    startBalancer([urlOf(`${service}-1`), urlOf(`${service}-2`)]),
  );
  ended.defer(async () => void (await forServices((service) => balancers[service].stop())));
  return {
    ...{ dataDir, secrets: readPlatformSecrets(dataDir), broker, databases, ports, urlOf },
    /** The address of the gateway's balancer. */
    url: balancers.gateway.url,
    serviceUrls: await forServices(async (service) => balancers[service].url),
    /** Resolves when the replica is ready, and thus gets requests. */
    untilIn: (name: ReplicaName) => until(`${name} to be ready`, () => isReady(urlOf(name))),
    /** Returns the number of requests to which the replica has responded. */
    served: (name: ReplicaName) => balancers[serviceOf(name)].served(urlOf(name)),
  };
}

export function serviceOf(name: ReplicaName): ServiceName {
  return name.split("-")[0] as ServiceName;
}

/** Runs `work` for all services concurrently. */
export async function forServices<Value>(
  work: (service: ServiceName) => Promise<Value>,
): Promise<Record<ServiceName, Value>> {
  const entries = await Promise.all(SERVICES.map(async (service) => [service, await work(service)] as const));
  return Object.fromEntries(entries) as Record<ServiceName, Value>;
}
