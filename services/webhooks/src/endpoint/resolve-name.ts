// Resolves a receiver's name with DNS queries on their own sockets. Node's default, getaddrinfo, blocks one of the
// process's few threads until a name server responds, so unresponsive ones could block all lookups.
import { promises as dns, type LookupAddress, type LookupAllOptions } from "node:dns";
import { readFileSync } from "node:fs";
import ipaddr from "ipaddr.js";

/** Like node's `dns.lookup` with `all: true`, but does not fail for a name without addresses. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

// The second try waits twice as long, which makes 6 s in total. An attempt's timeout is longer, so the outcome is `dns_failed`.
const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;

// No name server knows the name; c-ares returns EBADNAME for one that cannot exist.
const NO_NAME: ReadonlySet<unknown> = new Set(["ENOTFOUND", "EBADNAME"]);
const NO_ADDRESS: ReadonlySet<unknown> = new Set([...NO_NAME, "ENODATA"]);

/** Names in `hosts`, the text of a hosts file, need no query. `servers` are the system's by default. */
export function resolveByDns(servers: readonly string[] = [], hosts: string = readHosts()): Resolve {
  const resolver = new dns.Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const known = parseHosts(hosts);

  async function resolve(name: string): Promise<LookupAddress[]> {
    const fromHosts = known.get(name.toLowerCase());
    if (fromHosts !== undefined) return fromHosts;
    // Many names have addresses of only one family.
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
    if (found.length > 0) return found;
    const cause = [ipv4, ipv6].flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    // A name that does not exist has no address of either family.
    if (cause.every(({ code }) => NO_ADDRESS.has(code)) || cause.some(({ code }) => NO_NAME.has(code)))
      return [];
    throw Object.assign(new Error(`no response about ${name}`, { cause }), { code: "EAI_AGAIN" });
  }

  return (name, _options, callback) => {
    resolve(name).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

function addressesOf(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : [];
}

/** Returns addresses by name. `localhost` is always loopback, whatever the file says (RFC 6761). */
function parseHosts(hosts: string): Map<string, LookupAddress[]> {
  const lines = hosts.split("\n").map((line) => line.replace(/#.*/, "").trim().split(/\s+/));
  const entries = lines.flatMap(([address = "", ...names]) =>
    ipaddr.isValid(address) ? names.map((name) => ({ name: name.toLowerCase(), address })) : [],
  );
  const known = Map.groupBy(entries, ({ name }) => name);
  known.set("localhost", [
    { name: "localhost", address: "127.0.0.1" },
    { name: "localhost", address: "::1" },
  ]);
  return new Map(
    [...known].map(([name, found]) => [
      name,
      found.map(({ address }) => ({ address, family: address.includes(":") ? 6 : 4 })),
    ]),
  );
}

function readHosts(): string {
  try {
    return readFileSync("/etc/hosts", "utf8");
  } catch {
    return "";
  }
}
