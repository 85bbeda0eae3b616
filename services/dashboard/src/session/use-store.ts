import { useSyncExternalStore } from "react";
import type { Store } from "./store.ts";

export function useStore<Value>(store: Pick<Store<Value>, "get" | "subscribe">): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}
