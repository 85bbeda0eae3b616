import { useSyncExternalStore } from "react";
import { type Session, session } from "./session.ts";
import type { Store } from "./store.ts";

/** Returns the current value of the store, and renders again after each change. */
export function useStore<Value>(store: Pick<Store<Value>, "get" | "subscribe">): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Returns the current session, and renders again after each change. */
export function useSession(): Session {
  return useStore(session);
}
