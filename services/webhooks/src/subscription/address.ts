// Which addresses deliveries may go to: global unicast and what the operator allows, so that a tenant's URL cannot
// reach into our own network (contract §7, "Addresses").
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { type Resolve, resolveByDns } from "./resolve-name.ts";

/** Thrown where a URL or a name leads to an address that deliveries may not go to. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

export interface AddressGuard {
  /** False for `localhost` and for an address written out that may not be called; names are found out on connecting. */
  allowsHost(host: string): boolean;
  /** For node:net: resolves a name, and fails with AddressRefused where any of its addresses may not be called. */
  readonly lookup: LookupFunction;
}

// The library calls unicast whatever has no name of its own; of IPv6, only this is given out as global unicast.
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** In: CIDRs that are allowed besides the public internet, and what finds a name's addresses. */
export function addressGuard(
  allowedCidrs: readonly string[],
  resolve: Resolve = resolveByDns(),
): AddressGuard {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  const allows = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.parse(address);
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
