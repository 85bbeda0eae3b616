// The title of an entry, as the platform finds it: its field `title`, or else its first text. Pure.
import type { ItemOf } from "@tradepost/client/operations";
import { isUuid } from "./search-values.ts";

export function entryTitle({ data, slug }: Pick<ItemOf<"listEntries">, "data" | "slug">): string {
  const texts = [data.title, ...Object.values(data)];
  const text = texts.find((value) => typeof value === "string" && value.trim() !== "" && !isUuid(value));
  return typeof text === "string" ? text : slug;
}
