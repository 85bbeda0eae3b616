// Short messages about completed actions. They never contain a secret, nor the only way to an action. What shows them is large, and
// loaded after the first screen.
import { lazy, Suspense } from "react";
import { createStore } from "../session/store.ts";
import { useStore } from "../session/use-store.ts";

const load = () => import("./toast-list.tsx");

const ToastList = lazy(load);

const isWanted = createStore(false);

/** Shows a message: `Key “Shop” is revoked.` It replaces the message before it. */
export function say(sentence: string): void {
  isWanted.set(true);
  load().then(
    ({ show }) => show(sentence),
    () => undefined,
  );
}

/** Loads what shows messages. Screen readers read a message only where there was a place for it before. */
export async function loadToasts(): Promise<void> {
  await load();
  isWanted.set(true);
}

export function Toasts() {
  return <Suspense>{useStore(isWanted) && <ToastList />}</Suspense>;
}
