// Validates the bodies of the subscription routes (interface §7). Pure except for the address guard.
import { isSubscribable, subscribableType, subscribableTypes } from "@tradepost/event-catalog";
import { name, pageQuery, shaped } from "@tradepost/http";
import { z } from "zod";
import { eventFilter } from "../event-filter.ts";
import type { AddressGuard } from "./address.ts";
import { headersInput } from "./headers-input.ts";

const URL_CHARACTERS_MAX = 2_048;
// Of a name in DNS.
const LABEL_CHARACTERS_MAX = 63;

export const eventTypesInput = z
  .array(
    shaped(
      z.string("must be a string").refine(isSubscribable, { error: ({ input }) => ruleFor(String(input)) }),
      subscribableType,
    ),
    "must be a list of event types",
  )
  .min(1, "must contain at least 1 event type")
  .max(subscribableTypes.length, `must contain at most ${subscribableTypes.length} event types`)
  .refine((types) => new Set(types).size === types.length, "must not repeat an event type")
  .meta({ uniqueItems: true });

/** Events of orders and customers have no webhooks. */
function ruleFor(type: string): string {
  const rule = `must be one of ${subscribableTypes.join(", ")}`;
  const [, resource] = /^(order|customer)\./.exec(type) ?? [];
  return resource === undefined ? rule : `${rule}; ${resource}s have a change feed: /v1/${resource}s/events`;
}

export function subscriptionInputs(guard: AddressGuard) {
  const fields = {
    name: name(200),
    url: urlInput(guard),
    events: eventTypesInput,
  };
  const filter = eventFilter.nullable().optional();
  const limits = {
    maxPerSecond: limit(PER_SECOND_MAX).describe(
      "The most attempts a second, over all replicas. No limit by default.",
    ),
    maxInFlight: limit(IN_FLIGHT_MAX).describe(
      "The most attempts at a time, over all replicas. No limit by default.",
    ),
  };
  return {
    create: z.strictObject({
      ...fields,
      filter,
      ...limits,
      headers: headersInput({ keepsValues: false }).optional(),
    }),
    change: z.strictObject({
      name: fields.name.optional(),
      url: fields.url.optional(),
      events: fields.events.optional(),
      filter,
      ...limits,
      active: z.boolean("must be true or false").optional(),
      headers: headersInput({ keepsValues: true }).nullable().optional(),
    }),
  };
}

const PER_SECOND_MAX = 1_000;
const IN_FLIGHT_MAX = 100;

function limit(max: number) {
  const rule = `must be a whole number from 1 to ${max}`;
  return z.int(rule).min(1, rule).max(max, rule).nullable().optional();
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

export const sendTestInput = z.strictObject({
  type: shaped(
    z.string("must be a string").refine(isSubscribable, `must be one of ${subscribableTypes.join(", ")}`),
    subscribableType,
  )
    .optional()
    .describe("By default the first type that is subscribed to."),
});

type Inputs = ReturnType<typeof subscriptionInputs>;
export type SubscriptionInput = z.output<Inputs["create"]>;
export type SubscriptionChange = z.output<Inputs["change"]>;

/** An https URL on the public internet. */
export function urlInput(guard: AddressGuard) {
  return shaped(
    z
      .string("must be a string")
      .max(URL_CHARACTERS_MAX, {
        error: `must be at most ${URL_CHARACTERS_MAX} characters`,
        // A longer text is not parsed as a URL.
        abort: true,
      })
      .superRefine((value, context) => {
        const message = problemOf(value, guard);
        if (message !== null) context.addIssue({ code: "custom", message });
      }),
    z
      .string()
      .max(URL_CHARACTERS_MAX)
      .regex(/^https:\/\/[^/\s\\#][^\s\\#]*$/)
      .describe("An https URL on the public internet, without user, password and fragment."),
  );
}

function problemOf(value: string, guard: AddressGuard): string | null {
  const url = URL.parse(value);
  // The parser accepts spaces, control characters, backslashes and missing slashes, and takes a path for a host. These are refused,
  // so that the stored URL is the one that receives the deliveries.
  if (url === null || !/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(value) || /[\s\\\p{Cc}]/u.test(value))
    return "must be an https URL";
  if (url.protocol !== "https:") return "must begin with https://";
  if (/^https:\/\/[^/?]*@/i.test(value)) return "must not contain a user name or password";
  if (value.includes("#")) return "must not have a fragment";
  if (!isHostName(url.hostname) || url.port === "0") return "must have a host and a port that exist";
  if (!guard.allowsHost(url.hostname)) return "must point to an address on the public internet";
  return null;
}

/** False for a label that is empty, too long, or not encoded although it says so. */
function isHostName(host: string): boolean {
  return host
    .replace(/\.$/, "")
    .split(".")
    .every((label) => label !== "" && label !== "xn--" && label.length <= LABEL_CHARACTERS_MAX);
}
