import { type Platform, readPrivatePlatformSettings, startPlatform } from "@tradepost/devstack";

const SETTINGS = {
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

// A webhook's latency is measured from the commit of the change.
const POSTGRES_SETTINGS = ["track_commit_timestamp=on"];

/** Starts a process of each service on private servers. `limits` replaces the settings above. */
export function startBenchPlatform(
  dataDir: string,
  log: (line: string) => void,
  limits: Readonly<Record<string, string>> = {},
): Promise<Platform> {
  const settings = readPrivatePlatformSettings({
    ...process.env,
    ...SETTINGS,
    ...limits,
    TRADEPOST_DATA_DIR: dataDir,
  });
  return startPlatform({ settings, postgresSettings: POSTGRES_SETTINGS, log });
}
