// Reads the names of the people and the keys of a shop, for logs that show who did what. For admins only.
import { useList } from "./use-list.ts";

const QUERY = { limit: 100 };

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Actors {
  readonly people: readonly Named[];
  readonly keys: readonly Named[];
}

/** Returns the newest hundred of each. The lists are empty until they are read. */
export function useActors(): Actors {
  const people = useList("listUsers", QUERY).items ?? [];
  const keys = useList("listApiKeys", QUERY).items ?? [];
  return {
    people: people.map(({ id, name }) => ({ id, name })),
    keys: keys.map(({ id, label }) => ({ id, name: label })),
  };
}

/** The actors as the options of a filter. Adds the chosen one if it is in neither list: a removed one is still in the log. */
export function actorOptions({ people, keys }: Actors, chosen: string | undefined) {
  const options = [
    ...people.map(({ id, name }) => ({ value: id, text: name })),
    ...keys.map(({ id, name }) => ({ value: id, text: `Key: ${name}` })),
  ];
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, text: chosen }];
}
