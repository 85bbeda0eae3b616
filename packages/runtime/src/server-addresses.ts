// The file of a private authority is added to the address in the settings, so that it applies to no other connection of the
// process (interface §16).

const BETWEEN_BROKER_URLS = /,(?=(?:amqp|http)s?:\/\/)/;

/** Returns the addresses in the order in which they are tried. */
export function brokerUrls(setting: string): readonly [string, ...string[]] {
  return setting.split(BETWEEN_BROKER_URLS) as [string, ...string[]];
}

export function vhostOf(setting: string): string {
  return decodeURIComponent(new URL(brokerUrls(setting)[0]).pathname.slice(1)) || "/";
}

/** Adds the file to the addresses that use TLS and name no such file. */
export function withBrokerCa(setting: string, caFile: string | undefined): string {
  if (caFile === undefined) return setting;
  return brokerUrls(setting)
    .map((address) => {
      const url = new URL(address);
      if (url.protocol === "amqps:" && !url.searchParams.has("cacertfile"))
        url.searchParams.set("cacertfile", caFile);
      return url.href;
    })
    .join(",");
}

const POOLER = "pooler";

interface DatabaseSettings {
  readonly POSTGRES_CA_FILE?: string | undefined;
  readonly POSTGRES_POOLER?: "none" | "transaction" | undefined;
}

/**
 * Adds `sslrootcert`; without an `sslmode` it gets `verify-full`: only TLS, and only a server with a certificate for its name.
 * Also adds a pooler, for `hasPooler`.
 */
export function databaseAddress(
  address: string,
  { POSTGRES_CA_FILE: caFile, POSTGRES_POOLER: pooler = "none" }: DatabaseSettings,
): string {
  if (caFile === undefined && pooler === "none") return address;
  const url = new URL(address);
  const { searchParams } = url;
  if (caFile !== undefined && !searchParams.has("sslrootcert")) {
    searchParams.set("sslrootcert", caFile);
    if (!searchParams.has("sslmode")) searchParams.set("sslmode", "verify-full");
  }
  if (pooler !== "none") searchParams.set(POOLER, pooler);
  return url.href;
}

export function hasPooler(address: string): boolean {
  return URL.parse(address)?.searchParams.get(POOLER) === "transaction";
}
