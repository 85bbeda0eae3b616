// A list without items: it says why there are none and what to do next.
import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
