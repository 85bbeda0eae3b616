// The body of POST /v1/orders and the query of GET /v1/orders (interface §4). Pure.
import { orderInEvents } from "@tradepost/event-catalog";
import {
  anyOf,
  currency,
  cursorOfSorts,
  exportQuery,
  ids,
  metadata,
  pageQuery,
  shaped,
  storableTime,
  text,
  verbatimObject,
} from "@tradepost/http";
import { count, search } from "@tradepost/search";
import { z } from "zod";
import { AMOUNT_MAX, DECIMALS_MAX, hasDecimalsAtMost, minorDigitsOf } from "./money.ts";

const { status, paymentStatus, channel } = orderInEvents.shape;
export const channels = channel.options;

function oneOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

export const ITEMS_MAX = 500;
const SKU_CHARACTERS_MAX = 255;
const TAX_LINES_MAX = 10;
// Small enough to catch a rate in basis points.
const TAX_RATE_MAX = 1_000;
export const QUANTITY_MAX = 2_147_483_647;

/**
 * Amounts have at most as many decimals as the currency. So the currency is read first, and a schema for its digits validates
 * the whole body: the response names every invalid field.
 */
export const orderInput = z.unknown().transform((body, context): OrderInput => {
  const parsed = inputFor(digitsFor(body)).safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  context.issues.push(...(parsed.error.issues as typeof context.issues));
  return z.NEVER;
});

export type OrderInput = z.output<ReturnType<typeof buildInput>>;

function digitsFor(body: unknown): number {
  const currency = (body as { currency?: unknown } | null)?.currency ?? DEFAULT_CURRENCY;
  // The schema refuses an unknown currency anyway.
  return (typeof currency === "string" ? minorDigitsOf(currency) : null) ?? DECIMALS_MAX;
}

const DEFAULT_CURRENCY = "USD";
const built = new Map<number, ReturnType<typeof buildInput>>();

function inputFor(digits: number): ReturnType<typeof buildInput> {
  const schema = built.get(digits) ?? buildInput(digits);
  built.set(digits, schema);
  return schema;
}

function buildInput(digits: number) {
  return z.strictObject({
    customerId: z.string("must be a string").describe("A customer of the tenant; another id is 404"),
    items: z
      .array(buildLine(digits), "must be a list of order lines")
      .min(1, "must contain at least 1 line")
      .max(ITEMS_MAX, `must contain at most ${ITEMS_MAX} lines`),
    currency: currency
      .default(DEFAULT_CURRENCY)
      .describe("An ISO 4217 code. It says how many decimals amounts may have: USD 2, JPY 0."),
    channel: oneOf(channels).default("admin"),
    propertyId: text(255).optional().describe("The site that the order was placed on"),
    shippingTotal: amount(digits).default(0).describe("Before tax"),
    discountTotal: amount(digits)
      .default(0)
      .describe("Subtracted from the total, which must not be negative"),
    taxTotal: amount(digits).optional().describe("The sum of the lines' `taxAmount` by default"),
    expectedTotal: amount(DECIMALS_MAX)
      .optional()
      .describe("What the caller computed: if the total differs, the order is refused"),
    shippingAddress: address.optional().describe(ADDRESS),
    billingAddress: address.optional().describe(ADDRESS),
    customerNote: note.optional().describe("Shown on the order and in events"),
    internalNote: note.optional().describe("For the staff only; never in an event"),
    orderNumber: orderNumber
      .optional()
      .describe("Unique in the tenant. By default the platform counts from `1001`."),
    placedAt: placedAt
      .optional()
      .describe("When the customer placed it, from 2000 to five minutes ahead; by default now."),
    externalId: text(255)
      .optional()
      .describe("The channel's own id of the order, unique in the tenant and channel"),
    metadata: metadata
      .optional()
      .describe("At most 64 KiB of JSON text, returned as it was sent; the platform does not interpret it"),
  });
}

function buildLine(digits: number) {
  return z.strictObject({
    sku: text(SKU_CHARACTERS_MAX),
    name: text(500),
    quantity: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(QUANTITY_MAX, `must be at most ${QUANTITY_MAX}`)
      .default(1),
    unitPrice: amount(DECIMALS_MAX).default(0).describe("At most 4 decimals in every currency"),
    taxAmount: amount(digits).default(0).describe("The tax on the whole line"),
    taxLines: z
      .array(buildTaxLine(digits), "must be a list of taxes")
      .max(TAX_LINES_MAX, `must contain at most ${TAX_LINES_MAX} taxes`)
      .optional()
      .describe("The taxes that `taxAmount` consists of: their amounts must sum to it"),
    productId: z.uuid("must be a UUID").optional(),
    variantId: z.uuid("must be a UUID").optional(),
    description: note.optional(),
  });
}

function buildTaxLine(digits: number) {
  return z
    .strictObject({
      name: text(255).describe("Such as `VAT`"),
      rate: amount(DECIMALS_MAX, TAX_RATE_MAX).describe("In percent, with at most 4 decimals"),
      amount: amount(digits),
    })
    .meta({ id: "NewTaxLine", description: "A tax on a line of a new order." });
}

// " 77 " and "77" look the same.
const orderNumber = shaped(
  text(64).refine((value) => value.trim() === value, "must not begin or end with white space"),
  text(64),
);

const PLACED_AT_MIN = Date.UTC(2000, 0, 1);
const AHEAD_MS_MAX = 5 * 60_000;

const placedAt = shaped(
  storableTime
    .transform((time) => new Date(time))
    .refine((time) => time.getTime() >= PLACED_AT_MIN, "must not be before 2000-01-01T00:00:00Z")
    .refine((time) => time.getTime() <= Date.now() + AHEAD_MS_MAX, "must be at most five minutes from now"),
  storableTime,
);

const note = text(5_000, { hasLines: true, mayBeEmpty: true });

const ADDRESS_KIB_MAX = 8;
const ADDRESS = `At most ${ADDRESS_KIB_MAX} KiB of JSON text`;

// The rest of an address is only stored.
const shown = (charactersMax: number) =>
  text(charactersMax).refine(
    (value) => value.isWellFormed() && !value.includes("\u0000"),
    "contains an invalid character",
  );

const addressFields = z.looseObject(
  { line1: shown(500), city: shown(255) },
  "must be an address with line1 and city",
);

const address = shaped(verbatimObject(addressFields, ADDRESS_KIB_MAX), addressFields);

export const VERBATIM_FIELDS = ["metadata", "shippingAddress", "billingAddress"];

/** With the most decimals that any currency has. */
export const orderShape = buildInput(DECIMALS_MAX).meta({
  id: "NewOrder",
  description: "An order to place. Amounts are in units of the currency.",
});

/** `null` removes a value; a missing field does not change. */
export const parcelChange = z.strictObject({
  trackingNumber: text(255).nullable().optional(),
  carrier: text(255).nullable().optional(),
});

export const orderChange = z.strictObject({
  customerNote: note.nullable().optional(),
  internalNote: note.nullable().optional(),
  metadata: metadata
    .nullable()
    .optional()
    .describe("Replaces the whole object, unless in a JSON merge patch; at most 64 KiB of JSON text"),
  shippingAddress: address.nullable().optional().describe(ADDRESS),
  billingAddress: address.nullable().optional().describe(ADDRESS),
  ...parcelChange.shape,
});

export type OrderChange = z.output<typeof orderChange>;

export function amount(digits: number, max = AMOUNT_MAX) {
  const decimals = digits === 0 ? "no decimals in this currency" : `at most ${digits} decimals`;
  return z
    .number({
      error: ({ input }) =>
        typeof input === "string"
          ? "must be a number, not a string: send 10.00 without quotation marks"
          : "must be a number",
    })
    .min(0, "must not be negative")
    .max(max, `must be at most ${max}`)
    .refine((value) => hasDecimalsAtMost(value, digits), {
      // No currency has more decimals, but computed values such as 1.1 * 3 do.
      error: ({ input }) =>
        typeof input === "number" && !hasDecimalsAtMost(input, DECIMALS_MAX)
          ? `must have ${decimals}: round it before you send it`
          : `must have ${decimals}`,
    });
}

const listQuery = z.strictObject({
  ...pageQuery,
  cursor: cursorOfSorts(["placedAt"]),
  sort: oneOf(["createdAt", "placedAt"])
    .default("createdAt")
    .describe("By which time the newest come first."),
  status: anyOf(status.options).optional().describe("Only orders with one of these statuses."),
  paymentStatus: anyOf(paymentStatus.options)
    .optional()
    .describe("Only orders with one of these payment statuses."),
  fulfillment: anyOf(["none", "part", "all"])
    .optional()
    .describe("Only orders of which nothing, a part or everything is shipped; several separated by commas."),
  customerId: z.string().toLowerCase().optional().describe("Only orders of this customer."),
  channel: oneOf(channels).optional().describe("Only orders that came in this way."),
  propertyId: z.string().optional().describe("Only orders of this property."),
  externalId: z.string().optional().describe("The channel's own id of the order."),
  orderNumber: z.string().optional().describe("Exactly this number."),
  sku: z
    .string()
    .max(SKU_CHARACTERS_MAX)
    .optional()
    .describe("With a line of exactly this SKU. A page may be short, or empty."),
  ids: ids.optional().describe("Only orders with these ids."),
  createdAfter: storableTime.optional().describe("Inclusive."),
  createdBefore: storableTime.optional().describe("Exclusive."),
  placedAfter: storableTime.optional().describe("The time at which the customer placed it, inclusive."),
  placedBefore: storableTime.optional().describe("The time at which the customer placed it, exclusive."),
  updatedAfter: storableTime.optional().describe("The time of the latest change, inclusive."),
  updatedBefore: storableTime.optional().describe("The time of the latest change, exclusive."),
  search: search
    .optional()
    .describe(
      "Only orders that have each of these words, separated by blanks: it begins a word of the customer's name, e-mail address or phone, or of the order's number, external id or tracking number. Case and accents do not matter.",
    ),
});

export const ordersQuery = listQuery.extend({ count }).superRefine(({ cursor, sort }, context) => {
  if (cursor === null || (cursor.sort ?? "createdAt") === sort) return;
  context.addIssue({ code: "custom", path: ["cursor"], message: "is a cursor of another sort" });
});

export const ordersExportQuery = listQuery
  .omit({ limit: true, cursor: true, sort: true })
  .extend(exportQuery);

export type OrdersQuery = z.output<typeof ordersQuery>;
