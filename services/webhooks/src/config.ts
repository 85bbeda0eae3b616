import { moreEvents } from "@tradepost/event-catalog/order-events";
import {
  brokerUrl,
  duration,
  gatewaySecrets,
  loginDatabaseUrl,
  serviceSettings,
  wholeNumber,
} from "@tradepost/runtime";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { hasSealingKey, sealingSettings } from "./endpoint/endpoint.ts";

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
    WEBHOOKS_DATABASE_URL: loginDatabaseUrl,
    AMQP_URL: brokerUrl,
    GATEWAY_SECRET: gatewaySecrets,
    ...sealingSettings,
    WEBHOOKS_RETRY_SCHEDULE: retrySchedule
      .prefault("1m,5m,15m,30m,1h,2h,4h")
      .describe("the waits between attempts (`ms`, `s`, `m`, `h`); a changed schedule declares new queues"),
    WEBHOOKS_TIMEOUT_MS: wholeNumber(50, 60_000)
      .default(10_000)
      .describe("for a whole attempt: DNS, connection, TLS, headers, body"),
    WEBHOOKS_EGRESS_ALLOW: cidrList
      .prefault("")
      .describe("CIDRs to deliver to although they are not on the public internet"),
    WEBHOOKS_CONCURRENCY: wholeNumber(1, 2_000)
      .default(200)
      .describe(
        "attempts at a time in this process; up to four times as many while many endpoints hang (Fairness)",
      ),
    WEBHOOKS_HOST_PER_SECOND_MAX: wholeNumber(0, 100_000)
      .default(100)
      .describe("requests a second of a tenant to a host, from all processes (Fairness); 0 is no limit"),
    // At least a day longer than the 7 days for which events are published again.
    WEBHOOKS_LOG_DAYS: wholeNumber(8, 3_650)
      .default(30)
      .describe("how many days the delivery log goes back, not counting today; at least 8"),
    WEBHOOKS_LEASE_MS: wholeNumber(100, 600_000)
      .default(30_000)
      .describe("how long a listener's lease of a delivery lasts"),
    WEBHOOKS_SWEEP_GRACE_MS: wholeNumber(100, 600_000)
      .default(30_000)
      .describe("how long after its time a delivery counts as lost, so that the sweep publishes it again"),
    WEBHOOKS_WAITING_DAYS_MAX: wholeNumber(1, 3_650)
      .default(30)
      .describe("how many days a delivery may wait; then it fails with the outcome `expired`"),
    WEBHOOKS_WAITING_MAX: wholeNumber(1, 1_000_000_000)
      .default(1_000_000)
      .describe(
        "how many deliveries of a tenant may wait; beyond it the oldest of the endpoint with the most fail with the outcome `overflow`",
      ),
    WEBHOOKS_MORE_EVENTS: moreEvents,
    NOTICES_SMTP_URL: z
      .url({
        protocol: /^smtps?$/,
        error: "must be a URL of a mail server: smtps://user:password@mail.example.com",
      })
      .optional()
      .describe("the mail server for notices, with its credentials; without it none are mailed"),
    NOTICES_MAIL_FROM: z.string().min(3).max(320).optional().describe("the sender of these mails"),
    CANARY_EVERY_MS: wholeNumber(0, 3_600_000)
      .default(0)
      .describe("how often the content service sends a canary, as there; 0 is off, `npm start` sets 30000"),
  })
  .refine(...hasSealingKey);

export const DATABASE = {
  folder: new URL("../migrations/", import.meta.url),
  roles: ["tradepost_webhooks", "tradepost_webhooks_tenant"],
} as const;

export type Settings = z.output<typeof settings>;
