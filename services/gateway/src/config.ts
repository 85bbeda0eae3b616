// Every setting of the gateway. Secrets have no defaults.
import path from "node:path";
import {
  brokerUrl,
  certificateFile,
  databaseUrl,
  logLevel,
  port,
  redisUrl,
  serviceSettings,
  serviceUrl,
  sharedSecrets,
  wholeNumber,
} from "@tradepost/runtime";
import { z } from "zod";

/** `kid:base64,kid:base64`. The first key signs and all are accepted, so that keys are rotated without signing users out. */
const signingKeys = z
  .string()
  .regex(
    /^[\w-]+:[A-Za-z0-9+/=]{43,}(,[\w-]+:[A-Za-z0-9+/=]{43,})*$/,
    "must be kid:base64 of 32 bytes, comma-separated",
  )
  .transform((list) =>
    list.split(",").map((entry) => {
      const [id = "", secret = ""] = entry.split(":");
      return { id, secret: Buffer.from(secret, "base64") };
    }),
  )
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, "must not have a kid twice");

/** `https://a.example,https://b.example`, as browsers send them: without a path. */
const origins = z
  .string()
  .transform((list) => list.split(",").map((origin) => origin.trim()))
  .refine(
    (list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    "must be origins such as https://app.example.com, comma-separated",
  );

export const settings = z.object({
  ...serviceSettings(8080),
  /** The port of /metrics, which is not served on the public port, nor without this setting. */
  METRICS_PORT: port.optional(),
  GATEWAY_DATABASE_URL: databaseUrl,
  ORDERS_URL: serviceUrl,
  CONTENT_URL: serviceUrl,
  WEBHOOKS_URL: serviceUrl,
  /** Each shared with that service. The first signs; a list is the same as the service has while a secret is replaced. */
  ORDERS_GATEWAY_SECRET: sharedSecrets,
  CONTENT_GATEWAY_SECRET: sharedSecrets,
  WEBHOOKS_GATEWAY_SECRET: sharedSecrets,
  TOKEN_SIGNING_KEYS: signingKeys,
  /** The broker, which delivers the other services' audit entries. */
  AMQP_URL: brokerUrl,
  /** The cost per second of one key or user; a request costs 1 or more. 0 means no limit. */
  RATE_LIMIT_PER_SECOND: wholeNumber(0, 1_000_000).default(100),
  /** The cost per second of all keys and users of one tenant. 0 means no limit. */
  TENANT_RATE_LIMIT_PER_SECOND: wholeNumber(0, 1_000_000).default(400),
  /** A Redis in which all replicas count together. Without it each replica counts for itself. */
  RATE_LIMIT_REDIS_URL: redisUrl.optional(),
  /** The number of requests of one tenant in progress at a time in this gateway. 0 means no limit. */
  TENANT_CONCURRENCY_MAX: wholeNumber(0, 10_000).default(32),
  /** The number of trusted proxies in front of the gateway that add to X-Forwarded-For. */
  PROXY_HOPS: wholeNumber(0, 10).default(0),
  /** True if browsers may send the cookies over https only; false for plain http on a developer's machine. */
  COOKIE_SECURE: z
    .stringbool({ truthy: ["true"], falsy: ["false"], error: "must be true or false" })
    .default(true),
  /** The origins of the web pages that may use /mcp. Without it, pages of the gateway's own host may. */
  MCP_ALLOWED_ORIGINS: origins.optional(),
  /** The directory of the dashboard's files, as its build writes them. Without it there is no dashboard. */
  DASHBOARD_DIR: z.string().refine(path.isAbsolute, "must be an absolute path").optional(),
  /** The packed client, which is served under /client.tgz. Without it there is none. */
  CLIENT_PACKAGE_FILE: z.string().refine(path.isAbsolute, "must be an absolute path").optional(),
  /** How long a service may take to begin its response. */
  UPSTREAM_TIMEOUT_MS: wholeNumber(100, 120_000).default(30_000),
});

/** The settings of `migrate.ts`. The running service never has the owner's credentials. */
export const migrationSettings = z.object({
  GATEWAY_OWNER_DATABASE_URL: databaseUrl,
  POSTGRES_CA_FILE: certificateFile.optional(),
  LOG_LEVEL: logLevel,
});

export type Settings = z.output<typeof settings>;
export type SigningKey = Settings["TOKEN_SIGNING_KEYS"][number];
