// The facts about one thing: names and values, one below the other.
import type { ReactNode } from "react";
import "./facts.css";

interface FactsProps {
  readonly label: string;
  /** The values by their names. A name without a value is not shown. */
  readonly of: Readonly<Record<string, ReactNode>>;
}

export function Facts({ label, of }: FactsProps) {
  const known = Object.entries(of).filter(
    ([, value]) => value !== undefined && value !== null && value !== false,
  );
  return (
    <section className="facts" aria-label={label}>
      <dl className="card">
        {known.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
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
