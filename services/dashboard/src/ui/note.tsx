// A framed remark on a screen or in a dialog; for a failure, what happened and what to do about it.
import type { ErrorDetail } from "@tradepost/client/operations";
import { type ReactNode, useEffect, useRef } from "react";
import { explain, type Failure, sentence } from "../api/failure.ts";
import { message } from "../data/messages.ts";
import { useStore } from "../session/use-store.ts";
import { Button } from "./button.tsx";
import "./note.css";
import "./toasts.css";

interface NoteProps {
  readonly id?: string;
  readonly tone: "info" | "warning" | "danger";
  readonly title?: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  /** True if it appears after an action: screen readers read it at once. */
  readonly isAlert?: boolean;
}

export function Note({ id, tone, title, text, children, isAlert = false }: NoteProps) {
  return (
    <div id={id} className={`note note-${tone}`} role={isAlert ? "alert" : undefined}>
      {title !== undefined && <strong>{title}</strong>}
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

interface ErrorNoteProps {
  readonly failure: Failure;
  /** The details that no field shows. */
  readonly details?: readonly ErrorDetail[];
  readonly onRetry?: () => void;
}

/** Details that belong to fields are shown there. */
export function ErrorNote({ failure, details = [], onRetry }: ErrorNoteProps) {
  const { title, text, isStale } = explain(failure);
  return (
    <Note tone="danger" title={title} isAlert>
      <p>{text}</p>
      {isStale && onRetry === undefined && <p>The screen now shows the current state.</p>}
      {details.length > 0 && (
        <ul>
          {details.map(({ path, message }) => (
            <li key={path}>
              <code>{path}</code>: {sentence(message)}
            </li>
          ))}
        </ul>
      )}
      {failure.requestId !== null && (
        <p className="note-small">
          Request <code>{failure.requestId}</code>
        </p>
      )}
      {onRetry !== undefined && <Button text="Try again" onClick={onRetry} />}
    </Note>
  );
}

const SHOWN_MS = 10_000;

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
