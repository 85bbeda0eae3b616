// Query fields of several lists (interface §4). Pure.
import { z } from "zod";
import { isUuid, shaped } from "./fields.ts";

/** One of the values, or several separated by commas (interface §4). */
export function anyOf<const Value extends string>(values: readonly Value[]) {
  const list = z.string().transform((text, context): readonly Value[] => {
    const wanted = [...new Set(text.split(","))];
    const isValue = (item: string): item is Value => (values as readonly string[]).includes(item);
    if (wanted.every(isValue)) return wanted;
    const message = `must be one of ${values.join(", ")}, or several of them separated by commas`;
    context.addIssue({ code: "custom", message: `${message}; ${named(wanted, isValue)} is not` });
    return z.NEVER;
  });
  return shaped(list, z.array(z.enum(values)).min(1));
}

const IDS_MAX = 100;

/** 1 to 100 ids separated by commas, in any case (interface §4). */
export const ids = shaped(
  z
    .string()
    .refine(
      (text) => text !== "" && text.split(",").length <= IDS_MAX,
      `must contain 1 to ${IDS_MAX} ids separated by commas`,
    )
    .transform((text, context) => {
      const wanted = text.toLowerCase().split(",");
      if (wanted.every(isUuid)) return wanted;
      context.addIssue({ code: "custom", message: `must contain ids; ${named(wanted, isUuid)} is none` });
      return z.NEVER;
    }),
  z.array(z.uuid()).min(1).max(IDS_MAX),
);

const NAMED_CHARACTERS_MAX = 40;

function named(items: readonly string[], isReadable: (item: string) => boolean): string {
  return JSON.stringify(items.find((item) => !isReadable(item))?.slice(0, NAMED_CHARACTERS_MAX));
}
