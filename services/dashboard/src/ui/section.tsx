// A part of a screen with a heading of its own.
import { type ReactNode, useId } from "react";
import "./section.css";

interface SectionProps {
  readonly title: string;
  readonly intro?: ReactNode;
  /** Buttons or links next to the heading. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, intro, action, children }: SectionProps) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{title}</h2>
          {intro !== undefined && <p className="soft">{intro}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
