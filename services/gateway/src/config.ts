import path from "node:path";
import {
  brokerUrl,
  loginDatabaseUrl,
  port,
  redisUrl,
  serviceSettings,
  serviceUrl,
  sharedSecrets,
  wholeNumber,
} from "@tradepost/runtime";
import { z } from "zod";

/** The first key signs and all keys are accepted, so that keys rotate without signing users out. */
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

const origins = z
  .string()
  .transform((list) => list.split(",").map((origin) => origin.trim()))
  .refine(
    (list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    "must be origins such as https://app.example.com, comma-separated",
  );

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const providerUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  const isEncrypted =
    url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  return isEncrypted && `${url.username}${url.search}${url.hash}` === "";
}, "must be a URL that begins with https:, or on this machine with http:, without login and query");

const trueOrFalse = z.stringbool({ truthy: ["true"], falsy: ["false"], error: "must be true or false" });
const absolutePath = z.string().refine(path.isAbsolute, "must be an absolute path");

const BYTES_MAX = 999_999_999_999_999;

const fields = z.object({
  ...serviceSettings(8080),
  METRICS_PORT: port
    .optional()
    .describe("the port of `/metrics`, which is not served on `PORT`, nor without this setting"),
  GATEWAY_DATABASE_URL: loginDatabaseUrl,
  AMQP_URL: brokerUrl,
  ORDERS_URL: serviceUrl.describe("the URL of the orders service"),
  CONTENT_URL: serviceUrl.describe("the URL of the content service"),
  WEBHOOKS_URL: serviceUrl.describe("the URL of the webhooks service"),
  ORDERS_GATEWAY_SECRET: sharedSecrets.describe(
    "shared with the orders service, at least 32 characters. Of a list `new,old` the first signs ([rotation](../../docs/runbooks/rotating-secrets.md#gateway-secrets))",
  ),
  CONTENT_GATEWAY_SECRET: sharedSecrets.describe("shared with the content service"),
  WEBHOOKS_GATEWAY_SECRET: sharedSecrets.describe("shared with the webhooks service"),
  TOKEN_SIGNING_KEYS: signingKeys.describe(
    "`kid:base64,kid:base64`, 32 bytes each; the first signs, all are accepted ([rotation](../../docs/runbooks/rotating-secrets.md#token-keys))",
  ),
  RATE_LIMIT_PER_SECOND: wholeNumber(0, 1_000_000)
    .default(100)
    .describe("the cost per second of one key or user, with a burst of twice that; 0 means no limit"),
  TENANT_RATE_LIMIT_PER_SECOND: wholeNumber(0, 1_000_000)
    .default(400)
    .describe("the cost per second of a whole tenant, with a burst of twice that; 0 means no limit"),
  RATE_LIMIT_REDIS_URL: redisUrl
    .optional()
    .describe("a Redis in which all replicas count; without it, or while it is away, each counts for itself"),
  TENANT_CONCURRENCY_MAX: wholeNumber(0, 10_000)
    .default(32)
    .describe("requests of one tenant in progress at a time in this gateway; 0 means no limit"),
  TENANT_MEDIA_BYTES_MAX: wholeNumber(0, BYTES_MAX)
    .default(10 * 1024 ** 3)
    .describe(
      "the bytes of media of a tenant without a quota of its own (`ops tenant quota`), 10 GiB by default; beyond it uploads are refused; 0 means no limit",
    ),
  TENANT_EVENT_BYTES_MAX: wholeNumber(0, BYTES_MAX)
    .default(5 * 1024 ** 3)
    .describe(
      "the bytes of events kept of a tenant without a quota of its own, 5 GiB by default; beyond it changes that write an event are refused; 0 means no limit",
    ),
  PROXY_HOPS: wholeNumber(0, 10)
    .default(0)
    .describe(
      "the number of your proxies in front of the gateway that add to `X-Forwarded-For`; 0 ignores the header, with a warning in the log. The client address is used for the limits on sign-in and on links to media, and in the audit log",
    ),
  COOKIE_SECURE: trueOrFalse
    .default(true)
    .describe("true if browsers may send cookies over https only; false for plain http"),
  SIGN_IN_LINKS: trueOrFalse
    .default(false)
    .describe("true if links sign users in; only for `npm start`, which makes one"),
  OIDC_ISSUER: providerUrl
    .optional()
    .describe(
      "the issuer at which staff may [sign in](../../docs/interface.md#sign-in-at-your-provider): `https://accounts.google.com`; without it, passwords only. The next three belong to it. For a certificate of a private authority, set `NODE_EXTRA_CA_CERTS`",
    ),
  OIDC_CLIENT_ID: z.string().optional().describe("the id of this platform as a client at the issuer"),
  OIDC_CLIENT_SECRET: z.string().optional().describe("its secret"),
  OIDC_NAME: z
    .string()
    .max(40, "must be at most 40 characters")
    .optional()
    .describe("the name of the provider on the sign-in's button: `Google`"),
  OIDC_REDIRECT_URI: providerUrl
    .optional()
    .describe("the address of `/v1/auth/oidc/callback` at the issuer; by default at the origin asked"),
  MCP_ALLOWED_ORIGINS: origins
    .optional()
    .describe("origins of pages that may use `/mcp`: `https://app.example.com,…`; by default the own host"),
  DASHBOARD_DIR: absolutePath
    .optional()
    .describe(
      "the absolute path of the built [dashboard](../dashboard/README.md), served under `/dashboard`",
    ),
  CLIENT_PACKAGE_FILE: absolutePath
    .optional()
    .describe(
      "the absolute path of the packed [client](../../packages/client/README.md), served under `/client.tgz`",
    ),
  SECURITY_CONTACT: z
    .union(
      [z.email().transform((address) => `mailto:${address}`), z.url({ protocol: /^(https|mailto|tel)$/ })],
      {
        error: "must be an e-mail address, or an address that begins with https:, mailto: or tel:",
      },
    )
    .optional()
    .describe(
      "an e-mail address or https URL for `/.well-known/security.txt`; without it there is no such page",
    ),
  UPSTREAM_TIMEOUT_MS: wholeNumber(100, 120_000)
    .default(30_000)
    .describe("how long a service may take to begin its response"),
});

const OIDC_SETTINGS = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_NAME"] as const;

export const settings = fields.refine(
  (given) => new Set(OIDC_SETTINGS.map((name) => name in given)).size === 1,
  {
    path: ["OIDC_ISSUER"],
    error: `must be set together with the others of ${OIDC_SETTINGS.join(", ")}`,
    when: () => true,
  },
);

export const DATABASE = {
  folder: new URL("../migrations/", import.meta.url),
  roles: ["tradepost_gateway"],
} as const;

export type Settings = z.output<typeof settings>;
export type SigningKey = Settings["TOKEN_SIGNING_KEYS"][number];
