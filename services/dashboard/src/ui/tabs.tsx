// Views of a list, as links with counts, one of which is open.
import type { ReactNode } from "react";
import "./tabs.css";

interface TabsProps {
  /** What the tabs divide: `Orders`. */
  readonly label: string;
  /** `Tab` elements. */
  readonly children: ReactNode;
}

export function Tabs({ label, children }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      <ul>{children}</ul>
    </nav>
  );
}

/** `children` is a link, which the router marks with `aria-current` if it is open. */
export function Tab({ children }: { readonly children: ReactNode }) {
  return <li>{children}</li>;
}

export function TabCount({ count }: { readonly count: number | undefined }) {
  if (count === undefined) return null;
  return <span className="tab-count number">{count.toLocaleString("en")}</span>;
}
