// The settings of the webhooks service. Secrets have no defaults.
import {
  brokerUrl,
  certificateFile,
  databaseUrl,
  duration,
  logLevel,
  serviceSettings,
  sharedSecrets,
  wholeNumber,
} from "@tradepost/runtime";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { hasSealingKey, sealingSettings } from "./sealing/sealing-keys.ts";

const retrySchedule = z
  .string()
  .transform((list) => list.split(",").map((wait) => wait.trim()))
  .pipe(z.array(duration).min(1).max(20));

const cidrList = z
  .string()
  .transform((list) =>
    list
      .split(",")
      .map((cidr) => cidr.trim())
      .filter(Boolean),
  )
  .refine((cidrs) => cidrs.every(ipaddr.isValidCIDR), "must be CIDRs, comma-separated: 127.0.0.0/8,::1/128");

export const settings = z
  .object({
    ...serviceSettings(8083),
    WEBHOOKS_DATABASE_URL: databaseUrl,
    AMQP_URL: brokerUrl,
    /** Shared with the gateway, which signs every request with its first one; all of these are accepted. */
    GATEWAY_SECRET: sharedSecrets,
    /** Seal the signing secrets and the own headers of subscriptions. */
    ...sealingSettings,
    /** The waits between attempts; there is one more attempt than waits. A changed schedule declares new queues. */
    WEBHOOKS_RETRY_SCHEDULE: retrySchedule.prefault("1m,5m,15m,30m,1h,2h,4h"),
    /** For a whole attempt: DNS, connection, TLS, headers and body. */
    WEBHOOKS_TIMEOUT_MS: wholeNumber(50, 60_000).default(10_000),
    /** Networks to deliver to although they are not on the public internet. */
    WEBHOOKS_EGRESS_ALLOW: cidrList.prefault(""),
    /** Attempts at a time in this process; more only while many endpoints stop responding (README, Fairness). */
    WEBHOOKS_CONCURRENCY: wholeNumber(1, 2_000).default(200),
    /** Requests a second that one tenant may send to one host, from all processes together; 0 is no limit. */
    WEBHOOKS_HOST_PER_SECOND_MAX: wholeNumber(0, 100_000).default(100),
    /** How many days the delivery log goes back, not counting today; longer than events are published again (7). */
    WEBHOOKS_LOG_DAYS: wholeNumber(8, 3_650).default(30),
    /** How often a canary is sent; 0 turns it off. Content and webhooks need the same value. */
    CANARY_EVERY_MS: wholeNumber(0, 3_600_000).default(0),
    /** How long a listener's lease of a delivery lasts. */
    WEBHOOKS_LEASE_MS: wholeNumber(100, 600_000).default(30_000),
    /** How long after its time a delivery counts as lost, so that the sweep publishes it again. */
    WEBHOOKS_SWEEP_GRACE_MS: wholeNumber(100, 600_000).default(30_000),
  })
  .refine(...hasSealingKey);

/** For `migrate.ts`. The running service never has the owner's credentials. */
export const migrationSettings = z.object({
  WEBHOOKS_OWNER_DATABASE_URL: databaseUrl,
  POSTGRES_CA_FILE: certificateFile.optional(),
  LOG_LEVEL: logLevel,
});

export type Settings = z.output<typeof settings>;
