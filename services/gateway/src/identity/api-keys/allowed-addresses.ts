// The addresses that a key may be used from (interface §25). Pure.
import ipaddr from "ipaddr.js";
import { z } from "zod";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const ADDRESSES_MAX = 20;
const CIDR_CHARACTERS_MAX = 49;
const COUNT = `must be a list of 1 to ${ADDRESSES_MAX} addresses`;
const MAPPED_BITS = 96;

const address = z
  .string("must be a string")
  .max(CIDR_CHARACTERS_MAX, "must be an IP address or a CIDR")
  .transform((text, context) => {
    const range = rangeOf(text.trim());
    if (typeof range === "object") return textOf(range);
    context.addIssue({ code: "custom", message: range });
    return z.NEVER;
  });

/** The output is canonical: without leading zeros, mapped addresses as IPv4. */
export const allowedAddressesInput = z
  .array(address, COUNT)
  .min(1, COUNT)
  .max(ADDRESSES_MAX, COUNT)
  .refine((list) => new Set(list).size === list.length, "must not repeat an address")
  .nullable();

/** `ip` is canonical; null if unknown. */
export function isAllowed(ip: string | null, allowed: readonly string[] | null): boolean {
  if (allowed === null) return true;
  if (ip === null) return false;
  const client = ipaddr.process(ip);
  return allowed.some((text) => {
    const range = rangeOf(text);
    return (
      typeof range === "object" &&
      client.kind() === range.address.kind() &&
      client.match(range.address, range.bits)
    );
  });
}

/** Returns a fault as a string. */
function rangeOf(text: string): { address: Address; bits: number } | string {
  const [, written = "", length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const isIpv4 = ipaddr.IPv4.isValidFourPartDecimal(written);
  // Refuses a zone (`%eth0`).
  if (!isIpv4 && !(/^[\da-f:.]+$/i.test(written) && ipaddr.IPv6.isValid(written)))
    return "must be an IP address or a CIDR";
  const parsed = ipaddr.parse(written);
  const bitsMax = isIpv4 ? 32 : 128;
  const bits = length === undefined ? bitsMax : Number(length);
  if (bits > bitsMax) return `must have a prefix of at most ${bitsMax} bits`;
  if (hasHostBits(parsed, bits)) return "must have no bits beyond its prefix";
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && bits >= MAPPED_BITS;
  return isMapped ? { address: parsed.toIPv4Address(), bits: bits - MAPPED_BITS } : { address: parsed, bits };
}

function hasHostBits(parsed: Address, bits: number): boolean {
  return parsed
    .toByteArray()
    .some((byte, index) => (byte & (0xff >> Math.min(8, Math.max(0, bits - index * 8)))) !== 0);
}

function textOf({ address: parsed, bits }: { address: Address; bits: number }): string {
  const isWhole = bits === (parsed.kind() === "ipv4" ? 32 : 128);
  return isWhole ? parsed.toString() : `${parsed.toString()}/${bits}`;
}
