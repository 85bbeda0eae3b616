// What `npm start` takes from the environment; the README lists it.
import path from "node:path";

export const SERVICES = ["gateway", "orders", "content", "webhooks"] as const;
export type ServiceName = (typeof SERVICES)[number];

export function sameForAll<Value>(value: Value): Record<ServiceName, Value> {
  return { gateway: value, orders: value, content: value, webhooks: value };
}

export interface StackSettings {
  /** The gateway's; 0 chooses a free one. */
  port: number;
  dataDir: string;
  /** Used in place of private databases, where given. */
  databaseUrls: Partial<Record<ServiceName, string>>;
  /** Used in place of a private broker, where given. */
  broker: { amqpUrl: string; managementUrl: string | null } | undefined;
  /** Certificates the webhooks service trusts beside the well-known ones and ours. */
  extraCertificatesFile: string | undefined;
  /** Passed on to the services as they are, where they are set. */
  gateway: Record<string, string>;
  content: Record<string, string>;
  webhooks: Record<string, string>;
  everyService: Record<string, string>;
}

const ROOT = path.resolve(import.meta.dirname, "../../../..");
export const DEFAULT_DATA_DIR = path.join(ROOT, ".data");

/** Throws with a sentence when a value makes no sense. An empty value counts as none. */
export function readStackSettings(environment: NodeJS.ProcessEnv): StackSettings {
  const read = (name: string) => environment[name] || undefined;
  const pick = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, read(name)]).filter(([, value]) => value !== undefined));
  const amqpUrl = read("AMQP_URL");
  // One sends it off, the other waits for it.
  const canary = { CANARY_EVERY_MS: read("CANARY_EVERY_MS") ?? "30000" };
  const dataDir = path.resolve(ROOT, read("TRADEPOST_DATA_DIR") ?? DEFAULT_DATA_DIR);
  return {
    port: readPort(read("PORT") ?? "8080"),
    dataDir,
    databaseUrls: Object.fromEntries(
      SERVICES.map((name) => [name, read(`${name.toUpperCase()}_DATABASE_URL`)]).filter(([, url]) => url),
    ),
    broker: amqpUrl ? { amqpUrl, managementUrl: read("RABBITMQ_MANAGEMENT_URL") ?? null } : undefined,
    extraCertificatesFile: read("NODE_EXTRA_CA_CERTS"),
    gateway: {
      // It is reached over plain http.
      COOKIE_SECURE: "false",
      ...pick(
        "COOKIE_SECURE",
        "METRICS_PORT",
        "PROXY_HOPS",
        "RATE_LIMIT_PER_SECOND",
        "RATE_LIMIT_REDIS_URL",
        "TENANT_CONCURRENCY_MAX",
        "UPSTREAM_TIMEOUT_MS",
      ),
    },
    content: {
      CONTENT_MEDIA_DIR: path.join(dataDir, "media"),
      ...pick(
        "CONTENT_MEDIA_DIR",
        "CONTENT_MEDIA_PIXELS_MAX",
        "CONTENT_S3_BUCKET",
        "CONTENT_S3_ENDPOINT",
        "CONTENT_S3_REGION",
        "CONTENT_S3_ACCESS_KEY_ID",
        "CONTENT_S3_SECRET_ACCESS_KEY",
        "CONTENT_S3_FORCE_PATH_STYLE",
      ),
      ...canary,
    },
    webhooks: {
      // Receivers on this machine are what a person tries first.
      WEBHOOKS_EGRESS_ALLOW: "127.0.0.0/8,::1/128",
      ...pick(
        "WEBHOOKS_EGRESS_ALLOW",
        "WEBHOOKS_RETRY_SCHEDULE",
        "WEBHOOKS_TIMEOUT_MS",
        "WEBHOOKS_CONCURRENCY",
        "WEBHOOKS_LOG_DAYS",
        "WEBHOOKS_SWEEP_GRACE_MS",
      ),
      ...canary,
    },
    // Whoever presses Ctrl-C does not want to wait.
    everyService: { DRAIN_IDLE_MS: "0", ...pick("DRAIN_IDLE_MS", "LOG_LEVEL", "PATH", "HOME", "LANG", "TZ") },
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`PORT must be a number from 0 to 65535, not "${text}".`);
}
