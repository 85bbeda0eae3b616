// Rows that a statement takes as one array for each column, so that its text does not vary with their number.
import { type RawBuilder, sql } from "kysely";
import { type Columns, columnsOf } from "./named-statement.ts";

/** Columns by name, each with its SQL type and the function that takes its value from an item. */
export type RowColumns<Item> = Readonly<
  Record<string, readonly [type: string, take: (item: Item) => unknown]>
>;

/** `unnest(…) as name (…)` with the items as rows, for Kysely's `sql`. */
export function rowsAs<Item>(
  name: string,
  columns: RowColumns<Item>,
  items: readonly Item[],
): RawBuilder<unknown> {
  const arrays = Object.values(columns).map(
    ([type, take]) => sql`${items.map((item) => take(item))}::${sql.raw(type)}[]`,
  );
  return sql`unnest(${sql.join(arrays)}) as ${sql.raw(`${name} (${columnsOf(columns)})`)}`;
}

/** The arguments of `unnest` in a `namedStatement` whose `group` has `arraysOf` the same columns. */
export function arrayParametersOf(group: string, columns: RowColumns<never>): string {
  return Object.entries(columns)
    .map(([column, [type]]) => `$${group}.${column}::${type}[]`)
    .join(", ");
}

/** The columns of the items in a statement's input, each as an array. */
export function arraysOf<Input, Item>(
  columns: RowColumns<Item>,
  itemsOf: (input: Input) => readonly Item[],
): Columns<Input> {
  return Object.fromEntries(
    Object.entries(columns).map(([column, [, take]]) => [
      column,
      (input: Input) => itemsOf(input).map((item) => take(item)),
    ]),
  );
}
