// Every setting of the gateway. Secrets have no defaults.
import { logLevel, port, serviceSettings, sharedSecret } from "@tradepost/runtime";
import { z } from "zod";

/** `kid:base64,kid:base64`: the first signs, all are accepted, so that keys can be rotated without a sign-out. */
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
  );

export const settings = z.object({
  ...serviceSettings(8080),
  /** Where /metrics is served, apart from the public port; not served where it is not set. */
  METRICS_PORT: port.optional(),
  GATEWAY_DATABASE_URL: z.url(),
  ORDERS_URL: z.url(),
  CONTENT_URL: z.url(),
  WEBHOOKS_URL: z.url(),
  ORDERS_GATEWAY_SECRET: sharedSecret,
  CONTENT_GATEWAY_SECRET: sharedSecret,
  WEBHOOKS_GATEWAY_SECRET: sharedSecret,
  TOKEN_SIGNING_KEYS: signingKeys,
  /** The broker, over which the other services' audit entries come. */
  AMQP_URL: z.url(),
  /** The cost a second of one key or user, a request costing 1 or more; 0 is no limit. */
  RATE_LIMIT_PER_SECOND: z.coerce.number().int().min(0).max(1_000_000).default(100),
  /** A Redis in which all replicas count together; each counts for itself where it is not set. */
  RATE_LIMIT_REDIS_URL: z.url().optional(),
  /** Requests of one tenant in progress at a time in this gateway; 0 is no limit. */
  TENANT_CONCURRENCY_MAX: z.coerce.number().int().min(0).max(10_000).default(32),
  /** How many proxies of ours stand before the gateway and add to X-Forwarded-For. */
  PROXY_HOPS: z.coerce.number().int().min(0).max(10).default(0),
  /** Whether browsers may send the cookies over https only; false for plain http on a machine of one's own. */
  COOKIE_SECURE: z
    .stringbool({ truthy: ["true"], falsy: ["false"], error: "must be true or false" })
    .default(true),
  /** How long an upstream may take to begin its answer. */
  UPSTREAM_TIMEOUT_MS: z.coerce.number().int().min(100).max(120_000).default(30_000),
});

/** Of `migrate.ts`. The owner's role never reaches the running service. */
export const migrationSettings = z.object({ GATEWAY_OWNER_DATABASE_URL: z.url(), LOG_LEVEL: logLevel });

export type Settings = z.output<typeof settings>;
export type SigningKey = Settings["TOKEN_SIGNING_KEYS"][number];
