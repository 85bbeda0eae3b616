import { type Platform, readPrivatePlatformSettings, startPlatform } from "@tradepost/devstack";
import { runCommand } from "@tradepost/ops/run-command";

/** A platform that the traffic runs against, on servers that the faults control. */
export interface ChaosPlatform extends Platform {
  readonly rabbitmq: {
    /** In a cluster it has the addresses of all nodes. */
    readonly amqpUrl: string;
    readonly managementUrl: string;
  };
  /** The processes that exit only if a fault ends them. */
  readonly processNames: readonly string[];
}

export interface SingleNodePlatform extends ChaosPlatform {
  readonly rabbitmq: ChaosPlatform["rabbitmq"] & NonNullable<Platform["broker"]["node"]>;
}

// Short waits, so that a delayed delivery arrives within seconds. The default schedule works the same way.
const SETTINGS = {
  WEBHOOKS_RETRY_SCHEDULE: "1s,1s,2s,2s,3s,4s,5s",
  WEBHOOKS_TIMEOUT_MS: "3000",
  // Some clients of a listener report later than this.
  WEBHOOKS_LEASE_MS: "2000",
  WEBHOOKS_SWEEP_GRACE_MS: "3000",
  DRAIN_IDLE_MS: "5000",
  // The traffic exceeds the limit of one API key.
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_RATE_LIMIT_PER_SECOND: "0",
  TENANT_CONCURRENCY_MAX: "0",
  // All receivers are on one host.
  WEBHOOKS_HOST_PER_SECOND_MAX: "0",
  // Canary events on the exchange would count as unexpected.
  CANARY_EVERY_MS: "0",
  LOG_LEVEL: "warn",
};

export function chaosSettings(dataDir: string) {
  const own = { ...SETTINGS, TRADEPOST_DATA_DIR: dataDir, PORT: "0" };
  return readPrivatePlatformSettings({ ...process.env, ...own });
}

/** Starts two processes of each service on private servers, with a proxy on each connection. */
export async function startChaosPlatform(
  dataDir: string,
  log: (line: string) => void,
): Promise<SingleNodePlatform> {
  const settings = chaosSettings(dataDir);
  const platform = await startPlatform({ settings, replicas: 2, log });
  const { amqpUrl, managementUrl, node } = platform.broker;
  if (node !== undefined && managementUrl !== null) {
    const processNames = [...platform.services.map(({ name }) => name), "rabbitmq", "postgres"];
    return { ...platform, processNames, rabbitmq: { ...node, amqpUrl, managementUrl } };
  }
  await platform.kill();
  throw new Error("Chaos needs a private RabbitMQ, which is not available here.");
}

/** Resolves to the output, or rejects with it if the command fails. */
export async function runOps(
  { databases, rabbitmq: { amqpUrl, managementUrl } }: ChaosPlatform,
  ...words: string[]
): Promise<string> {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const code = await runCommand(words, {
    addresses: () => ({ databases, amqpUrl, managementUrl, mediaEnvironment: {} }),
    writeOut: print,
    writeError: print,
  });
  if (code !== 0) throw new Error(printed.join("\n"));
  return printed.join("\n");
}
