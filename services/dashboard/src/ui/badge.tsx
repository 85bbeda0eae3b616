import type { ReactNode } from "react";
import "./badge.css";

interface BadgeProps {
  /** The text has the same meaning, because colour must not be the only sign. */
  readonly tone: "info" | "good" | "warning" | "danger" | "quiet";
  readonly children: ReactNode;
}

export function Badge({ tone, children }: BadgeProps) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
