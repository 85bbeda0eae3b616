// Decides where deliveries are forwarded to. Without --allow-remote this is only this machine: a typo, or an address from a
// copied command, must not receive a tenant's data.
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { UsageError } from "../usage-error.ts";

export interface Target {
  readonly url: URL;
  readonly allows: (address: string) => boolean;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Including IPv4 in IPv6 notation. */
function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 6 ? "ipv6" : "ipv4");
}

/**
 * Parses an address or a short form: `3000`, `localhost:3000/hooks`.
 * @throws UsageError for another machine, unless `allowsRemote` is true.
 */
export async function findTarget(text: string, allowsRemote: boolean): Promise<Target> {
  const url = urlOf(text);
  if (allowsRemote) return { url, allows: () => true };
  const host = url.hostname.replace(/^\[|\]$/g, "");
  for (const address of await addressesOf(host)) {
    if (!isLoopback(address))
      throw new UsageError(
        `${host} is ${address === host ? "" : `${address}, `}not an address of this machine. Use --allow-remote to forward webhooks there.`,
      );
  }
  return { url, allows: isLoopback };
}

function urlOf(text: string): URL {
  const full = /^\d{1,5}$/.test(text)
    ? `http://localhost:${text}`
    : /^[a-z]+:\/\//i.test(text)
      ? text
      : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new UsageError(`${text} is not an address to forward to, such as http://localhost:3000/hooks`);
  return url;
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    throw new UsageError(`${host} has no address.`);
  }
}
