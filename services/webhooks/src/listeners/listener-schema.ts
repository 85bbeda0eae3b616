// The API description of a listener (interface §12). Pure.
import { subscribableType } from "@tradepost/event-catalog";
import { z } from "zod";

const count = z.int().min(0).max(10_000);

const listenerFields = {
  id: z.uuid(),
  name: z.string(),
  events: z.array(subscribableType),
  active: z.boolean().describe("False once it has expired, until the next lease."),
  expiresInHours: z.int().describe("How long it lives without a lease."),
  expiresAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
};

export const listener = z
  .strictObject({
    ...listenerFields,
    signingSecretPreview: z.string().describe("The first 8 characters of the signing secret."),
    waiting: z
      .strictObject({ pending: count, retrying: count, leased: count, paused: count })
      .describe("Its open deliveries, each counted once, of the newest 10,000."),
  })
  .meta({ id: "Listener", description: "A subscription without a URL, whose deliveries are leased." });

export const newListener = z
  .strictObject({
    ...listenerFields,
    signingSecret: z.string().nullable().describe("Null in a repeated response."),
  })
  .meta({ id: "NewListener" });
