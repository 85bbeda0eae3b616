// Addresses of this machine for endpoints that must not share a host.
const ADDRESSES_PER_BLOCK = 250;

/**
 * Returns loopback addresses. On Linux, which accepts connections to all of 127.0.0.0/8, each address is different, also from the
 * addresses of other groups. Elsewhere the endpoints differ only in their ports.
 */
export function loopbackAddresses(group: number, count: number, platform = process.platform): string[] {
  return Array.from({ length: count }, (_, index) => {
    const block = Math.floor(index / ADDRESSES_PER_BLOCK);
    return platform === "linux"
      ? `127.${1 + group}.${block}.${1 + (index % ADDRESSES_PER_BLOCK)}`
      : "127.0.0.1";
  });
}
