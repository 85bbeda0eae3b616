// The settings of the orders service. Secrets have no defaults.
import {
  brokerUrl,
  certificateFile,
  databaseUrl,
  logLevel,
  serviceSettings,
  sharedSecrets,
  wholeNumber,
} from "@tradepost/runtime";
import { z } from "zod";

export const settings = z.object({
  ...serviceSettings(8081),
  ORDERS_DATABASE_URL: databaseUrl,
  AMQP_URL: brokerUrl,
  /** How many days events are kept for the change feed; at least the 7 days that a replay covers. */
  EVENTS_KEEP_DAYS: wholeNumber(7, 3_650).default(30),
  /** Shared with the gateway, which signs every request with its first one; all of these are accepted. */
  GATEWAY_SECRET: sharedSecrets,
});

/** For `migrate.ts`. The running service never has the owner's login. */
export const migrationSettings = z.object({
  ORDERS_OWNER_DATABASE_URL: databaseUrl,
  POSTGRES_CA_FILE: certificateFile.optional(),
  LOG_LEVEL: logLevel,
});

export type Settings = z.output<typeof settings>;
