// A choice of the user for this browser. It is kept in the local storage, and only while it differs from the default.
import { keep, stored } from "../session/storage.ts";
import { createStore, type Store } from "../session/store.ts";

export interface Preference<Value extends string> extends Omit<Store<Value>, "set"> {
  choose(value: Value): void;
}

export function createPreference<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): Preference<Value> {
  const [normal] = values;
  const before = stored(name);
  const store = createStore(values.find((value) => value === before) ?? normal);
  return {
    get: store.get,
    subscribe: store.subscribe,
    choose: (value) => {
      store.set(value);
      keep(name, value === normal ? null : value);
    },
  };
}
