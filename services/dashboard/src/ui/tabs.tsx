// Views of a list, as links with counts, one of which is open.
import { type ReactNode, useEffect, useRef } from "react";
import "./tabs.css";

interface TabsProps {
  /** What the tabs divide: `Orders`. */
  readonly label: string;
  readonly children: ReactNode;
}

export function Tabs({ label, children }: TabsProps) {
  const list = useRef<HTMLUListElement>(null);
  const shown = useRef<Element>(null);
  // On a phone the open tab may be out of sight.
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>("[aria-current]") ?? null;
    if (open === shown.current) return;
    shown.current = open;
    if (open)
      list.current?.scrollTo({ left: open.offsetLeft + open.offsetWidth / 2 - list.current.clientWidth / 2 });
  });
  return (
    <nav className="tabs" aria-label={label}>
      <ul ref={list}>{children}</ul>
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
