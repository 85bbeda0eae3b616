// Every setting of the content service. Secrets have no defaults.
import {
  brokerUrl,
  certificateFile,
  databaseUrl,
  httpUrl,
  logLevel,
  serviceSettings,
  sharedSecrets,
  wholeNumber,
} from "@tradepost/runtime";
import { z } from "zod";

const s3Key = z.string().regex(/^\S+$/, "must not contain whitespace");

export const settings = z.object({
  ...serviceSettings(8082),
  CONTENT_DATABASE_URL: databaseUrl,
  AMQP_URL: brokerUrl,
  /** How many days events are kept for the change feed; at least the 7 days that a replay covers. */
  EVENTS_KEEP_DAYS: wholeNumber(7, 3_650).default(30),
  /** Shared with the gateway, which signs every request with its first one; all of these are accepted. */
  GATEWAY_SECRET: sharedSecrets,
  /** The interval between canaries; 0 turns them off. Must be the same in the content and the webhooks service. */
  CANARY_EVERY_MS: wholeNumber(0, 3_600_000).default(0),
  /** How often published events are reported to the webhooks service, which notices by it that some were lost; 0 turns it off. */
  EVENTS_TALLY_EVERY_MS: wholeNumber(0, 3_600_000).default(60_000),
  /** Sign links to media, comma-separated: the first signs, all are accepted, so that a secret can be replaced. */
  CONTENT_MEDIA_LINK_SECRETS: sharedSecrets,
  /** The directory for files, unless a bucket is set. Created with the first file. */
  CONTENT_MEDIA_DIR: z.string().default("./data/media"),
  /** An image with more pixels is refused. */
  CONTENT_MEDIA_PIXELS_MAX: wholeNumber(1, 268_000_000).default(50_000_000),
  /** The bucket for files. */
  CONTENT_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")
    .optional(),
  CONTENT_S3_ENDPOINT: httpUrl.optional(),
  CONTENT_S3_REGION: z.string().default("us-east-1"),
  CONTENT_S3_ACCESS_KEY_ID: s3Key.optional(),
  CONTENT_S3_SECRET_ACCESS_KEY: s3Key.optional(),
  CONTENT_S3_FORCE_PATH_STYLE: z.enum(["true", "false"]).default("false"),
});

/** The settings of `migrate.ts`. The running service never gets the owner's credentials. */
export const migrationSettings = z.object({
  CONTENT_OWNER_DATABASE_URL: databaseUrl,
  POSTGRES_CA_FILE: certificateFile.optional(),
  LOG_LEVEL: logLevel,
});

export type Settings = z.output<typeof settings>;

/** The settings that choose the storage of files. */
export const storageSettings = settings.pick({
  CONTENT_MEDIA_DIR: true,
  CONTENT_S3_BUCKET: true,
  CONTENT_S3_ENDPOINT: true,
  CONTENT_S3_REGION: true,
  CONTENT_S3_ACCESS_KEY_ID: true,
  CONTENT_S3_SECRET_ACCESS_KEY: true,
  CONTENT_S3_FORCE_PATH_STYLE: true,
});

export type StorageSettings = z.output<typeof storageSettings>;
