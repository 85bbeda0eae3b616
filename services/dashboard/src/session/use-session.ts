import { type Session, session } from "./session.ts";
import { useStore } from "./store.ts";

/** Who is signed in, now and after each change. */
export function useSession(): Session {
  return useStore(session);
}
