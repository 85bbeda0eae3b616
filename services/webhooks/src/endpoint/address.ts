// Limits deliveries to public addresses and addresses that the operator allows, so that a tenant's URL cannot reach the platform's
// own network (interface §7).
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { type Resolve, resolveByDns } from "./resolve-name.ts";

/** Thrown also for a name without an address, so that nobody learns which internal names exist. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

export interface AddressGuard {
  /** False for `localhost` and IP addresses that are not allowed. Other names are checked on connecting. */
  allowsHost(host: string): boolean;
  /** For node:net. Fails with AddressRefused if the name has no address, or an address that is not allowed. */
  readonly lookup: LookupFunction;
}

// ipaddr.js calls any range that it does not know "unicast". Of IPv6, only this range is assigned as global unicast.
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

// The metadata addresses of AWS and others, Azure, AWS over IPv6, and Alibaba, from which programs get credentials.
const CLOUD_METADATA: ReadonlySet<string> = new Set([
  "169.254.169.254",
  "168.63.129.16",
  "fd00:ec2::254",
  "100.100.100.200",
]);

// NAT64, its local-use range (with a prefix of any length of RFC 6052), and 6to4.
const TRANSLATED = (
  [
    ["64:ff9b::/96", [[12, 13, 14, 15]]],
    [
      "64:ff9b:1::/48",
      [
        [12, 13, 14, 15],
        [6, 7, 9, 10],
        [7, 9, 10, 11],
        [9, 10, 11, 12],
      ],
    ],
    ["2002::/16", [[2, 3, 4, 5]]],
  ] as const
).map(([cidr, places]) => ({ range: ipaddr.parseCIDR(cidr), places }));

/** Most usual first. */
function embeddedIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): string[] {
  if (address.kind() === "ipv4") return [];
  const bytes = address.toByteArray();
  const places = TRANSLATED.find(({ range }) => address.match(range))?.places ?? [];
  return places.map((place) => place.map((at) => bytes[at]).join("."));
}

/** Allows public addresses and `allowedCidrs`, but never the metadata addresses of clouds. */
export function addressGuard(
  allowedCidrs: readonly string[],
  resolve: Resolve = resolveByDns(),
): AddressGuard {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  const allows = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.parse(address);
    const embedded = embeddedIpv4(parsed);
    if ([ipaddr.process(address).toString(), ...embedded].some((one) => CLOUD_METADATA.has(one)))
      return false;
    const [usual] = embedded;
    if (usual !== undefined && !allows(usual)) return false;
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
