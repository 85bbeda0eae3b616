// The settings of `npm start`, from the environment; the README lists them.
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

export interface PlatformSettings {
  /** 0 chooses a free one. */
  port: number;
  dataDir: string;
  /** Of external databases, with their owners. The others are private. */
  databaseUrls: Partial<Record<ServiceName, string>>;
  /** Undefined for a private one. */
  broker: { amqpUrl: string; managementUrl: string | null } | undefined;
  extraCertificatesFile: string | undefined;
  gateway: Record<string, string>;
  orders: Record<string, string>;
  content: Record<string, string>;
  webhooks: Record<string, string>;
  everyService: Record<string, string>;
}

export const DEFAULT_DATA_DIR = path.join(ROOT, ".data");

/** Throws with a sentence when a value is invalid. An empty value counts as not set. */
export function readPlatformSettings(environment: NodeJS.ProcessEnv): PlatformSettings {
  const read = (name: string) => environment[name] || undefined;
  const caFile = (name: string) => read(name) && path.resolve(ROOT, read(name) as string);
  const amqpUrl = read("AMQP_URL");
  const databaseUrl = (name: ServiceName) => read(`${name.toUpperCase()}_DATABASE_URL`);
  const dataDir = path.resolve(ROOT, read("TRADEPOST_DATA_DIR") ?? DEFAULT_DATA_DIR);
  return {
    port: readPort(read("PORT") ?? "8080"),
    dataDir,
    databaseUrls: Object.fromEntries(
      SERVICES.map((name) => [name, databaseUrl(name)])
        .filter((entry): entry is [ServiceName, string] => entry[1] !== undefined)
        .map(([name, url]) => [name, databaseAddress(url, { POSTGRES_CA_FILE: caFile("POSTGRES_CA_FILE") })]),
    ),
    broker: amqpUrl
      ? {
          amqpUrl: withBrokerCa(amqpUrl, caFile("AMQP_CA_FILE")),
          managementUrl: read("RABBITMQ_MANAGEMENT_URL") ?? null,
        }
      : undefined,
    extraCertificatesFile: read("NODE_EXTRA_CA_CERTS"),
    gateway: gatewaySettings(environment),
    orders: pick(environment, "WEBHOOKS_MORE_EVENTS"),
    content: contentSettings(environment, dataDir),
    webhooks: webhooksSettings(environment),
    everyService: everyServiceSettings(environment),
  };
}

/** Reads the settings of a platform whose databases and broker are private, and which trusts only the local authority. */
export function readPrivatePlatformSettings(environment: NodeJS.ProcessEnv): PlatformSettings {
  const settings = readPlatformSettings(environment);
  return { ...settings, databaseUrls: {}, broker: undefined, extraCertificatesFile: undefined };
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`PORT must be a number from 0 to 65535, not "${text}".`);
}

function gatewaySettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  return {
    // Clients reach it over plain HTTP.
    COOKIE_SECURE: "false",
    ...pick(
      environment,
      "COOKIE_SECURE",
      "CLIENT_PACKAGE_FILE",
      "DASHBOARD_DIR",
      "METRICS_PORT",
      "PROXY_HOPS",
      "RATE_LIMIT_PER_SECOND",
      "TENANT_RATE_LIMIT_PER_SECOND",
      "RATE_LIMIT_REDIS_URL",
      "TENANT_CONCURRENCY_MAX",
      "TENANT_MEDIA_BYTES_MAX",
      "TENANT_EVENT_BYTES_MAX",
      "SECURITY_CONTACT",
      "OIDC_ISSUER",
      "OIDC_CLIENT_ID",
      "OIDC_CLIENT_SECRET",
      "OIDC_NAME",
      "OIDC_REDIRECT_URI",
      "UPSTREAM_TIMEOUT_MS",
    ),
  };
}

function contentSettings(environment: NodeJS.ProcessEnv, dataDir: string): Record<string, string> {
  return {
    CONTENT_MEDIA_DIR: path.join(dataDir, "media"),
    ...pick(
      environment,
      "CONTENT_MEDIA_DIR",
      "CONTENT_MEDIA_PIXELS_MAX",
      "CONTENT_S3_BUCKET",
      "CONTENT_S3_ENDPOINT",
      "CONTENT_S3_REGION",
      "CONTENT_S3_ACCESS_KEY_ID",
      "CONTENT_S3_SECRET_ACCESS_KEY",
      "CONTENT_S3_FORCE_PATH_STYLE",
    ),
    ...canaryOf(environment),
  };
}

function webhooksSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  return {
    // People try receivers on this machine first.
    WEBHOOKS_EGRESS_ALLOW: "127.0.0.0/8,::1/128",
    ...pick(
      environment,
      "WEBHOOKS_EGRESS_ALLOW",
      "WEBHOOKS_RETRY_SCHEDULE",
      "WEBHOOKS_TIMEOUT_MS",
      "WEBHOOKS_CONCURRENCY",
      "WEBHOOKS_WAITING_DAYS_MAX",
      "WEBHOOKS_WAITING_MAX",
      "WEBHOOKS_MORE_EVENTS",
      "NOTICES_SMTP_URL",
      "NOTICES_MAIL_FROM",
      "WEBHOOKS_HOST_PER_SECOND_MAX",
      "WEBHOOKS_LOG_DAYS",
      "WEBHOOKS_SWEEP_GRACE_MS",
    ),
    ...canaryOf(environment),
  };
}

function everyServiceSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  return {
    // On Ctrl-C the services stop without the pause that a load balancer needs.
    DRAIN_IDLE_MS: "0",
    ...pick(
      environment,
      "DRAIN_IDLE_MS",
      "LOG_LEVEL",
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "POSTGRES_POOLER",
      "POSTGRES_PREPARE",
      "PATH",
      "HOME",
      "LANG",
      "TZ",
    ),
  };
}

/** The content service publishes the canary event, and the webhooks service expects it. */
function canaryOf(environment: NodeJS.ProcessEnv) {
  return { CANARY_EVERY_MS: environment.CANARY_EVERY_MS || "30000" };
}

function pick(environment: NodeJS.ProcessEnv, ...names: string[]): Record<string, string> {
  const entries = names.map((name) => [name, environment[name] || undefined]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
