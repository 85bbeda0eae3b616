// Every setting of the content service. Secrets have no defaults.
import { serviceSettings, sharedSecret } from "@tradepost/runtime";
import { z } from "zod";

export const settings = z.object({
  ...serviceSettings(8082),
  CONTENT_DATABASE_URL: z.url(),
  AMQP_URL: z.url(),
  /** Shared with the gateway, which signs every call with it. */
  GATEWAY_SECRET: sharedSecret,
});

export type Settings = z.output<typeof settings>;
