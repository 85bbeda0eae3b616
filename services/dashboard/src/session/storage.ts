// Stores values in the browser: in `localStorage` for good, in `sessionStorage` for this tab. The browser may forbid both: reading
// and writing then throw.
import { createStore, type Store } from "./store.ts";

type Kind = "localStorage" | "sessionStorage";

/** Returns null if nothing is stored, undefined if storage is forbidden. */
export function stored(name: string, kind: Kind = "localStorage"): string | null | undefined {
  try {
    return globalThis[kind].getItem(name);
  } catch {
    return undefined;
  }
}

/** Null removes the value. */
export function keep(name: string, value: string | null, kind: Kind = "localStorage"): void {
  try {
    if (value === null) globalThis[kind].removeItem(name);
    else globalThis[kind].setItem(name, value);
  } catch {
    // The value lasts as long as the page.
  }
}

interface Preference<Value extends string> extends Omit<Store<Value>, "set"> {
  choose(value: Value): void;
}

/** A choice of the user for this browser, which is stored only while it differs from the first of `values`. */
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
