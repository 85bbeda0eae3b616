import { type Session, session } from "./session.ts";
import { useStore } from "./use-store.ts";

/** Returns the current session, and renders again after each change. */
export function useSession(): Session {
  return useStore(session);
}
