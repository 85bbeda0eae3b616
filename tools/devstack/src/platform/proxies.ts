import { brokerUrls } from "@tradepost/runtime";
import { type FaultProxy, startFaultProxy } from "@tradepost/testing";
import { SERVICES, type ServiceName } from "../settings/platform-settings.ts";

export interface Proxies {
  /** The proxies by the programs that they connect: `gateway→orders`, `orders→postgres`. */
  readonly between: Readonly<Record<string, FaultProxy>>;
  /** The proxy in front of all gateway processes. */
  readonly gateway: FaultProxy;
}

/**
 * Starts one proxy for each pair of programs that connect. A cluster of brokers gets none, because the services choose among its
 * nodes. A proxy in front of a service connects to any of its processes.
 */
export async function startProxies(to: {
  databaseUrls: Readonly<Record<ServiceName, string>>;
  amqpUrl: string;
  addresses: Readonly<Record<ServiceName, readonly { readonly url: string }[]>>;
}): Promise<Proxies> {
  const urlsOf = (service: ServiceName) =>
    to.addresses[service].map(({ url }) => url) as [string, ...string[]];
  const between: Record<string, FaultProxy> = {};
  for (const service of SERVICES) {
    between[`${service}→postgres`] = await startFaultProxy(to.databaseUrls[service]);
    if (brokerUrls(to.amqpUrl).length === 1)
      between[`${service}→rabbitmq`] = await startFaultProxy(to.amqpUrl);
    if (service !== "gateway") between[`gateway→${service}`] = await startFaultProxy(...urlsOf(service));
  }
  return { between, gateway: await startFaultProxy(...urlsOf("gateway")) };
}

/** Returns the address with the proxy's host and port; unchanged without a proxy. */
export function through(proxy: FaultProxy | undefined, address: string): string {
  if (proxy === undefined) return address;
  const url = new URL(address);
  url.host = new URL(proxy.url).host;
  return url.href;
}
