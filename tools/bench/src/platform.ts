import {
  createTenants,
  type Platform,
  readPrivatePlatformSettings,
  startPlatform,
  type TenantCredentials,
} from "@tradepost/devstack";

/** The parts of a platform, of any commit, that the load and the measurements use. */
export interface MeasuredPlatform extends Pick<Platform, "dataDir" | "url" | "databases" | "pid"> {
  readonly broker: Pick<Platform["broker"], "amqpUrl">;
  createTenants(slugs: readonly string[]): Promise<TenantCredentials[]>;
}

export type BenchPlatform = Awaited<ReturnType<typeof startBenchPlatform>>;

export const SETTINGS = {
  PORT: "0",
  // One tenant may use the whole machine.
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_RATE_LIMIT_PER_SECOND: "0",
  TENANT_CONCURRENCY_MAX: "0",
  TENANT_MEDIA_BYTES_MAX: "0",
  TENANT_EVENT_BYTES_MAX: "0",
  // All receivers are on one host.
  WEBHOOKS_HOST_PER_SECOND_MAX: "0",
  // Canary events would be counted in the measurements.
  CANARY_EVERY_MS: "0",
};

/** Starts a process of each service on private servers. */
export async function startBenchPlatform(dataDir: string, log: (line: string) => void) {
  const own = { ...SETTINGS, TRADEPOST_DATA_DIR: dataDir };
  const settings = readPrivatePlatformSettings({ ...process.env, ...own });
  const platform = await startPlatform({ settings, log });
  const create = (slugs: readonly string[]) => {
    const newTenants = slugs.map((slug) => ({ slug }));
    return createTenants(platform.url, platform.databases.gateway, newTenants);
  };
  return { ...platform, createTenants: create };
}
