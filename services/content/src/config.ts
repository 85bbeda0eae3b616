import {
  brokerUrl,
  gatewaySecrets,
  httpUrl,
  loginDatabaseUrl,
  serviceSettings,
  sharedSecrets,
  wholeNumber,
} from "@tradepost/runtime";
import { z } from "zod";

const s3Key = z.string().regex(/^\S+$/, "must not contain whitespace");

export const mediaSettings = z.object({
  CONTENT_MEDIA_DIR: z
    .string()
    .default("./data/media")
    .describe("the directory for files, unless a bucket is set; replicas must share it"),
  CONTENT_MEDIA_PIXELS_MAX: wholeNumber(1, 268_000_000)
    .default(50_000_000)
    .describe("an image with more pixels is `failed`; memory is limited, too, see below"),
  CONTENT_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")
    .optional()
    .describe("the bucket for files; without it they are in the directory"),
  CONTENT_S3_ENDPOINT: httpUrl
    .optional()
    .describe("`https://…` of another service with the S3 API; without it Amazon's"),
  CONTENT_S3_REGION: z.string().default("us-east-1").describe("the bucket's region"),
  CONTENT_S3_ACCESS_KEY_ID: s3Key
    .optional()
    .describe("the access key; without it, it is read from the environment"),
  CONTENT_S3_SECRET_ACCESS_KEY: s3Key
    .optional()
    .describe("the secret of the access key; without it, it is read from the environment"),
  CONTENT_S3_FORCE_PATH_STYLE: z
    .enum(["true", "false"])
    .default("false")
    .describe("`true` for servers with the bucket in the path"),
});

export type MediaSettings = z.output<typeof mediaSettings>;

export const settings = z.object({
  ...serviceSettings(8082),
  CONTENT_DATABASE_URL: loginDatabaseUrl,
  AMQP_URL: brokerUrl,
  EVENTS_KEEP_DAYS: wholeNumber(7, 3_650)
    .default(30)
    .describe("days for which published events are kept for the change feed; at least 7"),
  GATEWAY_SECRET: gatewaySecrets,
  CANARY_EVERY_MS: wholeNumber(0, 3_600_000)
    .default(0)
    .describe(
      "how often each replica writes a canary, an event of no tenant that shows whether the platform delivers; 0 is never; `npm start` sets 30000. The webhooks service needs the same value",
    ),
  // A lost event is noticed within two minutes (tools/checks/test/tally-defaults.test.ts).
  EVENTS_TALLY_EVERY_MS: wholeNumber(0, 3_600_000)
    .default(40_000)
    .describe(
      "how often the ids of the published events are reported to the webhooks service, which notices by it that some were lost; 0 turns it off",
    ),
  CONTENT_MEDIA_LINK_SECRETS: sharedSecrets.describe(
    "sign links to media: comma-separated, of 32 characters or more; the first signs, all are accepted",
  ),
  ...mediaSettings.shape,
});

export const DATABASE = {
  folder: new URL("../migrations/", import.meta.url),
  roles: ["tradepost_content_worker", "tradepost_content"],
} as const;

export type Settings = z.output<typeof settings>;
