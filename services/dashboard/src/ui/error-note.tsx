// Describes a failure, and what to do about it. Details that belong to fields are shown there.
import type { ErrorDetail } from "@tradepost/client/operations";
import { explain } from "../api/explain.ts";
import type { Failure } from "../api/failure.ts";
import { sentence } from "../api/field-errors.ts";
import { Button } from "./button.tsx";
import { Note } from "./note.tsx";

interface ErrorNoteProps {
  readonly failure: Failure;
  /** The details that no field shows. */
  readonly details?: readonly ErrorDetail[];
  /** Repeats the failed request. */
  readonly onRetry?: () => void;
}

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
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </Note>
  );
}
