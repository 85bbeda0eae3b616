// How statements are written: with names for parameters, `$order.total` where Postgres wants `$11`; with rows as one array for each
// column, so that the text does not vary with their number.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from "kysely";
import type { QueryConfig } from "pg";
import type { Statement } from "./session.ts";

/** Columns, each with the function that takes its value from the statement's input. */
export type Columns<Input> = Readonly<Record<string, (input: Input) => unknown>>;

/**
 * Returns the function that fills in the parameters, each named `group.column`. Names with the same function are one parameter,
 * so they need the same SQL type.
 * @throws if the text uses a name that is not in `groups`, or `groups` has one that the text does not use.
 */
export function namedStatement<Input>(
  text: string,
  groups: Readonly<Record<string, Columns<Input>>>,
): (input: Input) => QueryConfig & { values: unknown[] } {
  const unused = new Map<string, (input: Input) => unknown>(
    Object.entries(groups).flatMap(([group, columns]) =>
      Object.entries(columns).map(([column, getter]) => [`${group}.${column}`, getter] as const),
    ),
  );
  const described = new Map(unused);
  const getters: ((input: Input) => unknown)[] = [];
  const numbered = text.replace(PARAMETER, (_, parameter: string) => {
    const getter = described.get(parameter);
    if (getter === undefined) throw new Error(`$${parameter} is not described`);
    unused.delete(parameter);
    if (!getters.includes(getter)) getters.push(getter);
    return `$${getters.indexOf(getter) + 1}`;
  });
  if (unused.size > 0) throw new Error(`the text does not use $${[...unused.keys()].join(", $")}`);
  return (input) => ({ text: numbered, values: getters.map((getter) => getter(input)) });
}

const PARAMETER = /\$([a-z_]+\.[a-z_]+)/g;

/** For `insert into … (…)`. */
export function columnsOf(columns: Readonly<Record<string, unknown>>): string {
  return Object.keys(columns).join(", ");
}

/** In the same order, for the `select` or `values` that goes with `columnsOf`. */
export function parametersOf(group: string, columns: Columns<never>): string {
  return Object.keys(columns)
    .map((column) => `$${group}.${column}`)
    .join(", ");
}

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

const compiling = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Compiles Kysely's `sql` for a pool or a client. */
export function toStatement(statement: RawBuilder<unknown>): Statement & { values: unknown[] } {
  const { sql, parameters } = statement.compile(compiling);
  return { text: sql, values: [...parameters] };
}
