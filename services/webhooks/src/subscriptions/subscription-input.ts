// Validates the bodies of the subscription routes (interface §7). Pure except for the address guard.
import { orderTypes } from "@tradepost/event-catalog/order-events";
import { name, pageQuery } from "@tradepost/http";
import { z } from "zod";
import { type AddressGuard, urlInput } from "../endpoint/endpoint.ts";
import { eventFilter, eventTypeInput, eventTypesInput } from "../event-filter.ts";
import { headersInput } from "./headers-input.ts";

export function subscriptionInputs({ guard, more }: { guard: AddressGuard; more: readonly string[] }) {
  const fields = {
    name: name(200),
    url: urlInput(guard),
    events: eventTypesInput(more),
  };
  const filter = eventFilter.nullable().optional();
  const payload = z
    .enum(payloads, `must be one of ${payloads.join(", ")}`)
    .optional()
    .describe("`thin`: later deliveries have only what identifies the resource, and `changedFields`.");
  const limits = {
    maxPerSecond: limit(PER_SECOND_MAX).describe(
      "Attempts a second, over all replicas. No limit by default.",
    ),
    maxInFlight: limit(IN_FLIGHT_MAX).describe("Attempts at a time, over all replicas. No limit by default."),
  };
  return {
    create: z.strictObject({
      ...fields,
      filter,
      payload,
      ...limits,
      headers: headersInput({ keepsValues: false }).optional(),
    }),
    change: z.strictObject({
      name: fields.name.optional(),
      url: fields.url.optional(),
      // Types that the subscription has may stay (`subscription-changes.ts`).
      events: eventTypesInput(orderTypes).optional(),
      filter,
      payload,
      ...limits,
      active: z.boolean("must be true or false").optional(),
      headers: headersInput({ keepsValues: true }).nullable().optional(),
    }),
  };
}

export const payloads = ["full", "thin"] as const;
const PER_SECOND_MAX = 1_000;
const IN_FLIGHT_MAX = 100;

function limit(max: number) {
  return wholeNumber(1, max).nullable().optional();
}

export function wholeNumber(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.int(rule).min(min, rule).max(max, rule);
}

export const subscriptionsQuery = z.strictObject({
  ...pageQuery,
  active: z
    .enum(["true", "false"], "must be true or false")
    .transform((text) => text === "true")
    .optional()
    .describe("Only active or only paused subscriptions."),
});

export type SubscriptionsQuery = z.output<typeof subscriptionsQuery>;

const OVERLAP_HOURS_MAX = 168;

export const rotateSecretInput = z.strictObject({
  overlapHours: z
    .int("must be a whole number")
    .min(0, `must be 0 to ${OVERLAP_HOURS_MAX}`)
    .max(OVERLAP_HOURS_MAX, `must be 0 to ${OVERLAP_HOURS_MAX}`)
    .default(24)
    .describe("How long the previous secret signs too, in hours."),
  force: z
    .boolean("must be true or false")
    .default(false)
    .describe("Whether to end an earlier secret that still signs."),
});

export const sendTestInput = (more: readonly string[]) =>
  z.strictObject({
    type: eventTypeInput(more).optional().describe("By default the first type that is subscribed to."),
  });

type Inputs = ReturnType<typeof subscriptionInputs>;
export type SubscriptionInput = z.output<Inputs["create"]>;
export type SubscriptionChange = z.output<Inputs["change"]>;
