// The facts about one thing: names and values, one below the other.
import type { ReactNode } from "react";
import { CopiedId } from "./code.tsx";
import { ExactTime, Time } from "./time.tsx";
import "./facts.css";

interface FactsProps {
  readonly label: string;
  readonly children: ReactNode;
}

export function Facts({ label, children }: FactsProps) {
  return (
    <section className="facts" aria-label={label}>
      <dl className="card">{children}</dl>
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

interface IdFactProps {
  readonly name: string;
  /** Nothing is shown without one. */
  readonly id: string | undefined;
  /** What the id identifies, for screen readers; by default, as the fact is named. */
  readonly what?: string;
}

export function IdFact({ name, id, what = name.toLowerCase() }: IdFactProps) {
  if (id === undefined) return null;
  return (
    <Fact name={name}>
      <CopiedId id={id} what={what} />
    </Fact>
  );
}

interface TimeFactProps {
  readonly name: string;
  /** Nothing is shown without one. */
  readonly at: string | null;
  readonly isExact?: boolean;
}

export function TimeFact({ name, at, isExact = false }: TimeFactProps) {
  if (at === null) return null;
  return <Fact name={name}>{isExact ? <ExactTime at={at} /> : <Time at={at} />}</Fact>;
}
