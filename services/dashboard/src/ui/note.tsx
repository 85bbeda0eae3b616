// A framed remark on a screen or in a dialog.
import type { ReactNode } from "react";
import "./note.css";

interface NoteProps {
  readonly id?: string;
  readonly tone: "info" | "warning" | "danger";
  readonly title?: string;
  readonly children?: ReactNode;
  /** True if it appears after an action: screen readers read it at once. */
  readonly isAlert?: boolean;
}

export function Note({ id, tone, title, children, isAlert = false }: NoteProps) {
  return (
    <div id={id} className={`note note-${tone}`} role={isAlert ? "alert" : undefined}>
      {title !== undefined && <strong>{title}</strong>}
      {children}
    </div>
  );
}
