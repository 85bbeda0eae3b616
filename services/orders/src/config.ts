import { moreEvents } from "@tradepost/event-catalog/order-events";
import {
  brokerUrl,
  gatewaySecrets,
  loginDatabaseUrl,
  serviceSettings,
  wholeNumber,
} from "@tradepost/runtime";
import { z } from "zod";

export const settings = z.object({
  ...serviceSettings(8081),
  ORDERS_DATABASE_URL: loginDatabaseUrl,
  AMQP_URL: brokerUrl,
  EVENTS_KEEP_DAYS: wholeNumber(7, 3_650)
    .default(30)
    .describe("days for which published events are kept for the change feed; at least 7"),
  GATEWAY_SECRET: gatewaySecrets,
  WEBHOOKS_MORE_EVENTS: moreEvents,
  EVENTS_TALLY_EVERY_MS: wholeNumber(0, 3_600_000)
    .default(40_000)
    .describe("as in the content service, for the events that `WEBHOOKS_MORE_EVENTS` names"),
});

export const DATABASE = {
  folder: new URL("../migrations/", import.meta.url),
  roles: ["tradepost_orders_worker", "tradepost_orders"],
} as const;

export type Settings = z.output<typeof settings>;
