// The assignments of an update that erases the columns that the data map names. Pure.
import type { Erasure } from "@tradepost/data-map";
import { ERASED_NAME } from "./erase-texts.ts";

/** The values of columns that are erased in the same way in every row. */
const VALUE_OF: Partial<Record<Erasure, string>> = {
  "set to null": "null",
  renamed: `'${ERASED_NAME}'`,
  emptied: "''",
};

/**
 * SQL for the `set` of an update. Addresses are not the same in every row: `addressOf` returns the new value of a column with
 * addresses.
 */
export function assignmentsOf(
  columns: Readonly<Record<string, Erasure>>,
  addressOf: (column: string) => string,
): string {
  return Object.entries(columns)
    .flatMap(([column, erasure]) => {
      const value = erasure === "country kept" ? addressOf(column) : VALUE_OF[erasure];
      return value === undefined ? [] : [`${column} = ${value}`];
    })
    .join(", ");
}
