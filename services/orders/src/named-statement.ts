// Prepared statements whose parameters have names: `$order.total` in the text, where Postgres wants `$11`.
import type { QueryConfig } from "pg";

/** Columns of one table, each with the function that takes its value from the statement's input. */
export type Columns<Input> = Readonly<Record<string, (input: Input) => unknown>>;

/**
 * Numbers the parameters of a statement once, when the service starts, and returns the function that fills them in.
 * A parameter's name is `group.column`. A name that occurs twice is one parameter, so its uses must agree on the type.
 * @throws where the text names a parameter that is not described, or one that is described is not in the text.
 */
export function namedStatement<Input>(
  name: string,
  text: string,
  groups: Readonly<Record<string, Columns<Input>>>,
): (input: Input) => QueryConfig & { values: unknown[] } {
  const described = new Map<string, (input: Input) => unknown>(
    Object.entries(groups).flatMap(([group, columns]) =>
      Object.entries(columns).map(([column, getter]) => [`${group}.${column}`, getter] as const),
    ),
  );
  const used = [...new Set(Array.from(text.matchAll(PARAMETER), ([, parameter = ""]) => parameter))];
  const getters = used.map((parameter) => {
    const getter = described.get(parameter);
    if (getter === undefined) throw new Error(`${name}: $${parameter} is not described`);
    return getter;
  });
  const unused = [...described.keys()].filter((parameter) => !used.includes(parameter));
  if (unused.length > 0) throw new Error(`${name}: the text does not use $${unused.join(", $")}`);
  const numbered = text.replace(PARAMETER, (_, parameter: string) => `$${used.indexOf(parameter) + 1}`);
  return (input) => ({ name, text: numbered, values: getters.map((getter) => getter(input)) });
}

const PARAMETER = /\$([a-z_]+\.[a-z_]+)/g;

/** The columns' names, for `insert into … (…)`. */
export function columnsOf(columns: Columns<never>): string {
  return Object.keys(columns).join(", ");
}

/** The columns' parameters in the same order, for the `select` or `values` that goes with `columnsOf`. */
export function parametersOf(group: string, columns: Columns<never>): string {
  return Object.keys(columns)
    .map((column) => `$${group}.${column}`)
    .join(", ");
}
