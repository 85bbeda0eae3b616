// Short messages about completed actions. They never contain a secret, nor the only way to an action.
import { createStore } from "../session/store.ts";

export const message = createStore<{ readonly sentence: string } | null>(null);

/** Shows a message: `Key “Shop” is revoked.` It replaces the message before it. */
export function say(sentence: string): void {
  message.set({ sentence });
}
