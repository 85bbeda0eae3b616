// Limits deliveries to public addresses and addresses that the operator allows, so that a tenant's URL cannot reach the platform's
// own network (interface §7).
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { type Resolve, resolveByDns } from "./resolve-name.ts";

/**
 * Thrown if a name resolves to an address that deliveries must not be sent to, or to no address. Both are the same error, so that
 * nobody learns which internal names exist.
 */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

export interface AddressGuard {
  /** False for `localhost` and for an IP address that is not allowed. Other names are checked on connecting. */
  allowsHost(host: string): boolean;
  /** Resolves a name, for node:net. Fails with AddressRefused if the name has no address, or any address that is not allowed. */
  readonly lookup: LookupFunction;
}

// ipaddr.js calls any range that it does not know "unicast". Of IPv6, only this range is assigned as global unicast.
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

// The metadata addresses of AWS and others, Azure, AWS over IPv6, and Alibaba. Programs get a machine's credentials from them.
const CLOUD_METADATA: ReadonlySet<string> = new Set([
  "169.254.169.254",
  "168.63.129.16",
  "fd00:ec2::254",
  "100.100.100.200",
]);

/** Returns a guard that allows public addresses and `allowedCidrs`, but never the metadata addresses of clouds. */
export function addressGuard(
  allowedCidrs: readonly string[],
  resolve: Resolve = resolveByDns(),
): AddressGuard {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  const allows = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.parse(address);
    if (CLOUD_METADATA.has(ipaddr.process(address).toString())) return false;
    const isAllowed = allowed.some(
      ([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits),
    );
    const isGlobal = parsed.kind() === "ipv4" || parsed.match(GLOBAL_IPV6);
    return isAllowed || (isGlobal && parsed.range() === "unicast");
  };
  return {
    allowsHost: (host) => {
      const bare = host.replace(/^\[|\]$/g, "");
      if (/^(.+\.)?localhost\.?$/i.test(bare)) return allows("127.0.0.1");
      return !ipaddr.isValid(bare) || allows(bare);
    },
    lookup: (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, [], 0);
        if (addresses.length === 0 || !addresses.every(({ address }) => allows(address))) {
          return callback(new AddressRefused(), [], 0);
        }
        const [first] = addresses;
        if (options.all || first === undefined) return callback(null, addresses);
        callback(null, first.address, first.family);
      });
    },
  };
}
