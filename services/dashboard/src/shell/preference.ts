// A choice of the user for this browser. It is kept in the local storage, and only while it differs from the default.
import { createStore, type Store } from "../session/store.ts";

export interface Preference<Value extends string> extends Omit<Store<Value>, "set"> {
  choose(value: Value): void;
}

export function createPreference<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): Preference<Value> {
  const [normal] = values;
  const stored = read(name);
  const store = createStore(values.find((value) => value === stored) ?? normal);
  return {
    get: store.get,
    subscribe: store.subscribe,
    choose: (value) => {
      store.set(value);
      write(name, value === normal ? null : value);
    },
  };
}

// A browser may forbid storage, which throws. The choice then lasts as long as the page.

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // See above.
  }
}
