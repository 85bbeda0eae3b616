// Query fields of both the list of orders and the list of customers (interface §4). Pure.
import { isUuid, shaped } from "@tradepost/http";
import { z } from "zod";

/** Returns the schema of one of the values, or several separated by commas. */
export function anyOf<const Value extends string>(values: readonly Value[]) {
  const list = z.string().transform((text, context): readonly Value[] => {
    const wanted = [...new Set(text.split(","))];
    if (wanted.every((value): value is Value => (values as readonly string[]).includes(value))) return wanted;
    context.addIssue({
      code: "custom",
      message: `must be one of ${values.join(", ")}, or several of them separated by commas`,
    });
    return z.NEVER;
  });
  return shaped(list, z.array(z.enum(values)).min(1));
}

const IDS_MAX = 100;

/** The schema of up to 100 ids separated by commas. A malformed id matches nothing, so it is dropped. */
export const ids = shaped(
  z
    .string()
    .refine(
      (text) => text !== "" && text.split(",").length <= IDS_MAX,
      `must contain 1 to ${IDS_MAX} ids separated by commas`,
    )
    .transform((text) => text.toLowerCase().split(",").filter(isUuid)),
  z.array(z.uuid()).min(1).max(IDS_MAX),
);
