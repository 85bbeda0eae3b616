import { z } from "zod";

const ROWS_MAX = 20;

export const id = (description: string) => z.string("must be a string").max(64).describe(description);
export const orderId = id("The order's id (a UUID), not its number.");
export const customerId = id("The customer's id (a UUID).");

export const shortText = (charactersMax: number) =>
  z
    .string("must be a string")
    .min(1, "must not be empty")
    .max(charactersMax, `must be at most ${charactersMax} characters`);

export const amount = z
  .number({
    error: ({ input }) =>
      typeof input === "string"
        ? "must be a number, not a string: send 10.00 without quotation marks"
        : "must be a number",
  })
  .min(0, "must not be negative")
  .max(99_999_999_999.9999, "must be at most 99999999999.9999");

export const lines = z
  .array(
    z.strictObject({
      line_id: id("The line's id, from get_order."),
      quantity: z
        .int("must be a whole number")
        .min(1, "must be at least 1")
        .max(2_147_483_647)
        .describe("How many."),
    }),
    "must be a list of lines",
  )
  .min(1, "must contain at least 1 line")
  .max(500, "must contain at most 500 lines")
  .optional();

export const time = z
  .string("must be a string")
  .max(64)
  .describe("ISO 8601 with offset, such as 2026-08-20T09:30:00Z.");

export const searchText = z
  .string("must be a string")
  .min(2, "must be at least 2 characters")
  .max(100, "must be at most 100 characters");

export const detail = z
  .enum(["concise", "full"], "must be concise or full")
  .default("concise")
  .describe("full shows every field.");

export const page = {
  limit: z
    .int("must be a whole number")
    .min(1, `must be from 1 to ${ROWS_MAX}`)
    .max(ROWS_MAX, `must be from 1 to ${ROWS_MAX}`)
    .default(10)
    .describe("The most rows of a page."),
  cursor: z.string("must be a string").max(200).optional().describe("next_cursor of the page before."),
};

export const version = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .optional()
  .describe("Change it only if it is still at this version.");

export const requestKey = z
  .string("must be a string")
  .regex(/^[\x21-\x7e]{1,200}$/, "must be 1 to 200 visible ASCII characters")
  .optional()
  .describe("Your own id for this action; repeated with it, the call takes effect once.");

/** A request key never equals an Idempotency-Key of the tenant's other clients. */
export function idempotencyKeyOf(key: string | undefined): string | undefined {
  return key === undefined ? undefined : `mcp:${key}`;
}
