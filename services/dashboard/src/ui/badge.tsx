import type { ReactNode } from "react";
import "./badge.css";

interface BadgeProps {
  /** The text has the same meaning, because colour must not be the only sign. */
  readonly tone: "info" | "good" | "warning" | "danger" | "quiet";
  readonly text?: string;
  /** For more than text. */
  readonly children?: ReactNode;
}

export function Badge({ tone, text, children }: BadgeProps) {
  return (
    <span className={`badge badge-${tone}`}>
      {text}
      {children}
    </span>
  );
}
