// The example of a NetworkPolicy for Kubernetes lets this service's pods reach exactly the addresses that the guard allows: if one
// fails, the other still refuses.
import { readFileSync } from "node:fs";
import ipaddr from "ipaddr.js";
import { addressGuard } from "../src/endpoint/address.ts";

const POLICIES = new URL("../../../deploy/kubernetes/examples/network-policies.yaml", import.meta.url);
const guard = addressGuard([]);
const blocks = publicInternet();

test("has a block for each kind of address", () => {
  expect(blocks.map(({ cidr }) => cidr)).toEqual(["0.0.0.0/0", "2000::/3"]);
});

test("agrees with the guard on both sides of each border", () => {
  const own = blocks.flatMap(({ cidr, except }) => [cidr, ...except]);
  const addresses = [...own, ...specialNetworks()].flatMap(borders);
  expect(addresses.length).toBeGreaterThan(200);
  expect(disagreements(addresses)).toEqual([]);
});

test("agrees with the guard on an address of each /16 of IPv4, and of every eighth of IPv6", () => {
  const numbers = Array.from({ length: 65_536 }, (_, number) => number);
  expect(disagreements(numbers.map((number) => `${number >> 8}.${number & 255}.7.9`))).toEqual([]);
  const some = numbers.filter((number) => number % 8 === 1);
  expect(disagreements(some.map((number) => `${number.toString(16)}::79`))).toEqual([]);
});

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** The addresses in the policy `tradepost-receivers`. */
function publicInternet() {
  const policies = readFileSync(POLICIES, "utf8").split("\n---\n");
  const text = policies.find((policy) => policy.includes("name: tradepost-receivers")) ?? "";
  return text.split("- ipBlock:").flatMap((block) => {
    const [cidr, ...except] = [...block.matchAll(/(?:cidr:|-) ([\da-f.:]+\/\d+)$/gm)].map(
      ([, found = ""]) => found,
    );
    return cidr === undefined ? [] : [{ cidr, except }];
  });
}

/** The networks that the guard's library knows. */
function specialNetworks(): string[] {
  const tables = [ipaddr.IPv4, ipaddr.IPv6].map(
    // Its types leave the table out.
    ({ prototype }) => (prototype as unknown as { SpecialRanges: Record<string, unknown> }).SpecialRanges,
  );
  const isNetwork = (entry: unknown[]): entry is Network => typeof entry[1] === "number";
  const flat = tables.flatMap((table) => Object.values(table) as unknown[][]);
  const networks = flat.flatMap((entry) => (isNetwork(entry) ? [entry] : (entry as Network[])));
  return networks.map(([address, bits]) => `${address.toString()}/${bits}`);
}

function disagreements(addresses: readonly string[]): string[] {
  const networks = blocks.map(({ cidr, except }) => ({
    network: ipaddr.parseCIDR(cidr),
    except: except.map((each) => ipaddr.parseCIDR(each)),
  }));
  return addresses.filter((address) => {
    const parsed = ipaddr.parse(address);
    const isIn = ([range, bits]: Network) => parsed.kind() === range.kind() && parsed.match(range, bits);
    const isAllowed = networks.some(({ network, except }) => isIn(network) && !except.some(isIn));
    return isAllowed !== guard.allowsHost(parsed.kind() === "ipv6" ? `[${address}]` : address);
  });
}

/** The first and the last address of a network, and the ones before and after it. */
function borders(cidr: string): string[] {
  const [range, bits] = ipaddr.parseCIDR(cidr);
  const bytes = range.toByteArray();
  const total = bytes.length * 8;
  const first = BigInt(`0x${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`);
  const last = first + (1n << BigInt(total - bits)) - 1n;
  const all = [first - 1n, first, last, last + 1n].filter(
    (number) => number >= 0n && number < 1n << BigInt(total),
  );
  return all.map((number) => ipaddr.fromByteArray(bytesOf(number, bytes.length)).toString());
}

function bytesOf(number: bigint, length: number): number[] {
  return Array.from({ length }, (_, at) => Number((number >> BigInt((length - 1 - at) * 8)) & 255n));
}
