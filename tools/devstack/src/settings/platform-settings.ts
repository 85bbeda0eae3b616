// The settings of `npm start`, from the environment; the README lists them.
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { databaseAddress, withBrokerCa } from "@tradepost/runtime";
import { ROOT } from "./root.ts";

export const SERVICES = ["gateway", "orders", "content", "webhooks"] as const;
export type ServiceName = (typeof SERVICES)[number];

export function forAllServices<Value>(value: Value): Record<ServiceName, Value> {
  return forEachService(() => value);
}

export function forEachService<Value>(of: (service: ServiceName) => Value): Record<ServiceName, Value> {
  return { gateway: of("gateway"), orders: of("orders"), content: of("content"), webhooks: of("webhooks") };
}

export type PlatformSettings = ReturnType<typeof readPlatformSettings>;

export const DEFAULT_DATA_DIR = path.join(ROOT, ".data");

/** Throws with a sentence when a value is invalid. An empty value counts as not set. */
export function readPlatformSettings(environment: NodeJS.ProcessEnv) {
  const read = (name: string) => environment[name] || undefined;
  const caFile = (name: string) => read(name) && path.resolve(ROOT, read(name) as string);
  const amqpUrl = read("AMQP_URL");
  const databaseUrl = (name: ServiceName) => read(`${name.toUpperCase()}_DATABASE_URL`);
  const dataDir = path.resolve(ROOT, read("TRADEPOST_DATA_DIR") ?? DEFAULT_DATA_DIR);
  return {
    /** 0 chooses a free port. */
    port: readPort(read("PORT") ?? "8080"),
    dataDir,
    /** Of external databases, with their owners. Other databases are private. */
    databaseUrls: Object.fromEntries(
      SERVICES.map((name) => [name, databaseUrl(name)])
        .filter((entry): entry is [ServiceName, string] => entry[1] !== undefined)
        .map(([name, url]) => [name, databaseAddress(url, { POSTGRES_CA_FILE: caFile("POSTGRES_CA_FILE") })]),
    ) as Partial<Record<ServiceName, string>>,
    /** Undefined for a private broker. */
    broker: amqpUrl
      ? {
          amqpUrl: withBrokerCa(amqpUrl, caFile("AMQP_CA_FILE")),
          managementUrl: read("RABBITMQ_MANAGEMENT_URL") ?? null,
        }
      : undefined,
    extraCertificatesFile: read("NODE_EXTRA_CA_CERTS"),
    // Clients reach it over plain HTTP.
    gateway: passedOn("gateway", environment, { COOKIE_SECURE: "false" }),
    orders: passedOn("orders", environment),
    content: passedOn("content", environment, {
      CONTENT_MEDIA_DIR: path.join(dataDir, "media"),
      ...canaryOf(environment),
    }),
    webhooks: passedOn("webhooks", environment, {
      // People try receivers on this machine first.
      WEBHOOKS_EGRESS_ALLOW: "127.0.0.0/8,::1/128",
      ...canaryOf(environment),
    }),
    // On Ctrl-C the services stop without the pause that a load balancer needs.
    everyService: passedOn("everyService", environment, { DRAIN_IDLE_MS: "0" }),
  };
}

/** Reads the settings of a platform whose databases and broker are private, and which trusts only the local authority. */
export function readPrivatePlatformSettings(environment: NodeJS.ProcessEnv): PlatformSettings {
  const settings = readPlatformSettings(environment);
  return { ...settings, databaseUrls: {}, broker: undefined, extraCertificatesFile: undefined };
}

/** Creates a data directory for a platform that nobody keeps. */
export function temporaryDataDir(name: string): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), `tradepost-${name}-`));
  // If this runs as root, Postgres runs under another account, which needs execute permission here.
  chmodSync(dataDir, 0o755);
  return dataDir;
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`PORT must be a number from 0 to 65535, not "${text}".`);
}

/** The names of the variables that each service gets. Addresses and secrets are the launcher's. */
const PASSED_ON = {
  gateway:
    /^(COOKIE_SECURE|CLIENT_PACKAGE_FILE|DASHBOARD_DIR|METRICS_PORT|PROXY_HOPS|SECURITY_CONTACT|UPSTREAM_TIMEOUT_MS|(RATE_LIMIT|TENANT|OIDC)_\w+)$/,
  orders: /^WEBHOOKS_MORE_EVENTS$/,
  content: /^CONTENT_(MEDIA|S3)_\w+$/,
  webhooks: /^(NOTICES_\w+|WEBHOOKS_(?!(DATABASE_URL|URL|GATEWAY_SECRET|SEALING_KEYS?)$)\w+)$/,
  everyService:
    /^(DRAIN_IDLE_MS|LOG_LEVEL|OTEL_EXPORTER_OTLP_ENDPOINT|POSTGRES_POOLER|POSTGRES_PREPARE|PATH|HOME|LANG|TZ)$/,
};

function passedOn(
  to: keyof typeof PASSED_ON,
  environment: NodeJS.ProcessEnv,
  defaults: Record<string, string> = {},
): Record<string, string> {
  const given = Object.entries(environment).filter(([name, value]) => value && PASSED_ON[to].test(name));
  return { ...defaults, ...(Object.fromEntries(given) as Record<string, string>) };
}

/** The content service publishes the canary event, and the webhooks service expects it. */
function canaryOf(environment: NodeJS.ProcessEnv) {
  return { CANARY_EVERY_MS: environment.CANARY_EVERY_MS || "30000" };
}
