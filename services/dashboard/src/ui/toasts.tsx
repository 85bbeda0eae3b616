// Short messages about completed actions. They never contain a secret, nor the only way to an action.
import { useEffect, useRef } from "react";
import { createStore } from "../session/store.ts";
import { useStore } from "../session/use-store.ts";
import { Button } from "./button.tsx";
import "./toasts.css";

const SHOWN_MS = 10_000;

const message = createStore<{ readonly sentence: string } | null>(null);

/** Shows a message: `Key “Shop” is revoked.` It replaces the message before it. */
export function say(sentence: string): void {
  message.set({ sentence });
}

export function Toasts() {
  const shown = useStore(message);
  const toast = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (shown === null) return;
    const timer = setInterval(() => {
      // Somebody may still read it.
      if (!toast.current?.matches(":is(:hover, :focus-within)")) message.set(null);
    }, SHOWN_MS);
    return () => clearInterval(timer);
  }, [shown]);
  return (
    <div className="toasts" role="status">
      {shown && (
        <p ref={toast} className="toast">
          {shown.sentence}
          <Button text="Close" look="quiet" onClick={() => message.set(null)} />
        </p>
      )}
    </div>
  );
}
