// Finds the addresses of a receiver's name by asking DNS on sockets of our own. What node does by default occupies one of
// the process's few threads for as long as a name server is silent: two dead ones, and nobody's names would be found.
import { promises as dns, type LookupAddress, type LookupAllOptions } from "node:dns";
import { readFileSync } from "node:fs";
import ipaddr from "ipaddr.js";

/** As node's `dns.lookup` with all addresses asked for. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  answer: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

// With the second try's doubled, 6 s: within an attempt's deadline, so that the outcome names the culprit.
const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;

/** In: name servers, the system's unless given, and a hosts file, which comes before them. */
export function resolveByDns(servers: readonly string[] = [], hosts: string = readHosts()): Resolve {
  const resolver = new dns.Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const known = parseHosts(hosts);

  async function find(name: string): Promise<LookupAddress[]> {
    const written = known.get(name.toLowerCase());
    if (written !== undefined) return written;
    // A name has addresses of either kind or of both: one kind's failure is the name's only where the other has none.
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (found.length > 0) return found;
    const { reason: cause } = [four, six].find(
      ({ status }) => status === "rejected",
    ) as PromiseRejectedResult;
    throw Object.assign(new Error(`no address is known of ${name}`, { cause }), { code: "ENOTFOUND" });
  }

  return (name, _options, answer) => {
    find(name).then(
      (addresses) => answer(null, addresses),
      (error: NodeJS.ErrnoException) => answer(error, []),
    );
  };
}

function addressesOf(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : [];
}

/** By name. `localhost` is this machine, whatever a file or a name server says (RFC 6761). */
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
    [...known].map(([name, of]) => [
      name,
      of.map(({ address }) => ({ address, family: address.includes(":") ? 6 : 4 })),
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
