// The facts about one thing: names and values, one below the other.
import type { ReactNode } from "react";
import "./facts.css";

interface FactsProps {
  /** The subject of the facts, for screen readers. */
  readonly label: string;
  /** `Fact` elements. */
  readonly children: ReactNode;
}

export function Facts({ label, children }: FactsProps) {
  return (
    <section className="facts" aria-label={label}>
      <dl>{children}</dl>
    </section>
  );
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
